import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.ts";
import { placeNativeLibraries, targets, thisTarget } from "./nativeLibraries.ts";
import { packNpm } from "./npmPackage.ts";
import { outFolder, root } from "./paths.ts";
import { runProgram } from "./runProgram.ts";
import { step } from "./step.ts";

/** Packs the VSIX of one platform with its native libraries; returns its path. */
export async function packageFor(target: string): Promise<string> {
	const file = join(outFolder, `copilot-ld-${target}.vsix`);
	const vsce = join(root, "node_modules", "@vscode", "vsce", "vsce");
	const args = [vsce, "package", "--no-dependencies", "--target", target, "--out", file];
	await step(`Packaging for ${target}`, () => runProgram(process.execPath, args, { cwd: root }));
	return file;
}

/** `npm run package`: packs the npm package, and a VSIX for each or the named platform; with `--npm`, no VSIX. */
async function main(): Promise<void> {
	const { values } = parseArgs({ options: { target: { type: "string" }, npm: { type: "boolean" } } });
	await build("--minify");
	await report(await packNpm());
	if (!values.npm) await packageAll(values.target ? [values.target] : targets);
}

async function packageAll(wanted: readonly string[]): Promise<void> {
	const failures: string[] = [];
	for (const target of wanted) {
		try {
			await placeNativeLibraries(target);
			await report(await packageFor(target));
		} catch (error) {
			failures.push(`No VSIX for ${target}: ${error instanceof Error ? error.message : error}`);
		}
	}
	await placeNativeLibraries(thisTarget());
	for (const failure of failures) console.error(failure);
	process.exitCode = failures.length > 0 ? 1 : 0;
}

async function report(file: string): Promise<void> {
	const { size } = await stat(file);
	console.log(`${relative(root, file)}: ${(size / 1e6).toFixed(1)} MB`);
}

if (import.meta.main) await main();
