import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compileKernels } from "./compileKernels.ts";
import { root } from "./paths.ts";

/** `npm run kernels`: compiles them into the module that is imported. */
await writeFile(join(root, "src/base/kernels/compiled.ts"), await compileKernels());
