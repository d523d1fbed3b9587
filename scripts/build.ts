import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { outFolder, root } from "./paths.ts";
import { runProgram } from "./runProgram.ts";
import { step } from "./step.ts";

/** Sources of the programs, including the lock file for changes of dependencies. */
const SOURCES = ["{src,webview,scripts,test/inVscode}/**", "*.{json,mjs}", "media/schemas/**"];

/** The file with the options and sources of the last build. */
const stamp = join(outFolder, "built.txt");

/** Bundles every program unless nothing has changed; `--minify` bundles as for a VSIX. */
export async function build(...options: string[]): Promise<void> {
	const wanted = [...options, stateOfSources()].join(" ");
	if (readOrNone(stamp) === wanted && existsSync(join(root, "dist", "extension.cjs"))) return;
	const programs = [join(root, "esbuild.mjs"), ...options];
	await step("Building", () => runProgram(process.execPath, programs, { cwd: root }));
	mkdirSync(dirname(stamp), { recursive: true });
	writeFileSync(stamp, wanted);
}

/** A digest of the names, sizes and times of the sources. */
function stateOfSources(): string {
	const hash = createHash("sha256");
	for (const path of globSync(SOURCES, { cwd: root }).sort()) {
		const { size, mtimeMs } = statSync(join(root, path));
		hash.update(`${path} ${size} ${mtimeMs}\n`);
	}
	return hash.digest("hex");
}

function readOrNone(file: string): string | undefined {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return undefined;
	}
}
