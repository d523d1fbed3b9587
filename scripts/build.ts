import { join } from "node:path";
import { root } from "./paths.ts";
import { runProgram } from "./runProgram.ts";
import { step } from "./step.ts";

/** Bundles every program; with `--minify` as a VSIX ships them. */
export function build(...options: string[]): Promise<void> {
	return step("Building", () =>
		runProgram(process.execPath, [join(root, "esbuild.mjs"), ...options], { cwd: root }),
	);
}
