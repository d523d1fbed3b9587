import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compileKernels } from "./compileKernels.ts";
import { root } from "./paths.ts";

/** `npm run kernels`: compiles the kernels into the imported module. */
await writeFile(join(root, "src/base/kernels/compiled.ts"), await compileKernels());
