import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "./build.ts";
import { outFolder, root } from "./paths.ts";
import { runProgram } from "./runProgram.ts";
import { checkOff, conclude, sumTallies, type Tally } from "./tally.ts";
import { testNode } from "./testNode.ts";
import { testInVscode } from "./testVscode.ts";
import { testVsix } from "./testVsix.ts";

/** `npm test`: all that there is to check, and one line at the end that counts it. */
async function main(): Promise<void> {
	const tallies: Tally[] = [];
	for (const stage of [checkCode, testUnits, testPrograms]) tallies.push(await stage());
	conclude(sumTallies(tallies));
}

async function checkCode(): Promise<Tally> {
	return sumTallies([
		await checkOff("types", () => runTool("typescript/bin/tsc", "-p", ".")),
		await checkOff("types of the page", () => runTool("typescript/bin/tsc", "-p", "webview")),
		await checkOff("types of its tests", () => runTool("typescript/bin/tsc", "-p", "test/webview")),
		await checkOff("style", () => runTool("@biomejs/biome/bin/biome", "ci", "--colors=off", ".")),
		await checkOff("no dead code", () => runTool("knip/bin/knip.js")),
	]);
}

/** The runner of Node shows the tests and leaves a record, whose last lines count them. */
async function testUnits(): Promise<Tally> {
	await mkdir(outFolder, { recursive: true });
	const record = join(outFolder, "unitTests.tap");
	const reporters = [
		...["--test-reporter=spec", "--test-reporter-destination=stdout"],
		...["--test-reporter=tap", `--test-reporter-destination=${record}`],
	];
	const args = ["--import", "./test/support/tsxHook.ts", "--test", ...reporters, "test/**/*.test.ts"];
	await runProgram(process.execPath, args, { cwd: root }).catch(() => undefined);
	const text = await readFile(record, "utf8");
	const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
	return { passed: count("pass"), failed: count("fail") + count("cancelled") };
}

async function testPrograms(): Promise<Tally> {
	const built = await checkOff("the programs build", () => build());
	return built.failed > 0
		? built
		: sumTallies([built, await testNode(), await testInVscode(), await testVsix()]);
}

function runTool(path: string, ...args: string[]): Promise<void> {
	return runProgram(process.execPath, [join(root, "node_modules", path), ...args], { cwd: root });
}

await main();
