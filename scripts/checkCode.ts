import { join } from "node:path";
import { root } from "./paths.ts";
import { runProgram } from "./runProgram.ts";
import { checkOff, conclude, sumTallies, type Tally } from "./tally.ts";

/** Runs the static checks, which take seconds. */
export async function checkCode(): Promise<Tally> {
	return sumTallies([
		await checkOff("types", () => runTool("typescript/bin/tsc", "-p", ".")),
		await checkOff("types of the page", () => runTool("typescript/bin/tsc", "-p", "webview")),
		await checkOff("types of its tests", () => runTool("typescript/bin/tsc", "-p", "test/webview")),
		await checkOff("style", () => runTool("@biomejs/biome/bin/biome", "ci", "--colors=off", ".")),
		await checkOff("no dead code", () => runTool("knip/bin/knip.js")),
	]);
}

function runTool(path: string, ...args: string[]): Promise<void> {
	return runProgram(process.execPath, [join(root, "node_modules", path), ...args], { cwd: root });
}

if (import.meta.main) conclude(await checkCode());
