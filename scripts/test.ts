import { mkdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { build } from "./build.ts";
import { checkCode } from "./checkCode.ts";
import { obtainLlama } from "./obtainLlama.ts";
import { outFolder, root } from "./paths.ts";
import { runProgram } from "./runProgram.ts";
import { checkOff, conclude, recall, sumTallies, type Tally } from "./tally.ts";
import { obtainNodes, testNode } from "./testNode.ts";
import { testInVscode } from "./testVscode.ts";
import { testVsix } from "./testVsix.ts";
import { obtainChromium } from "./vscode/obtainChromium.ts";
import { obtainServer } from "./vscode/obtainServer.ts";

/** `npm test`: every check, and a summary line at the end. */
async function main(): Promise<void> {
	const [checks] = await Promise.all([checkCode(), download()]);
	// Build as for shipping, so that the VSIX contains the tested code.
	const built = await checkOff("the programs build", () => build("--minify"));
	const tallies = [checks, built];
	// After a failed build, an older one would not test these sources.
	if (built.failed === 0) tallies.push(await testUnits(), await testPrograms());
	conclude(sumTallies(tallies));
}

/** Downloads tools first, so that tests do not download them at once. Tests report tools that are still missing. */
async function download(): Promise<void> {
	await Promise.allSettled([obtainChromium(), obtainServer(), obtainNodes(), obtainLlama()]);
}

/** Tests the programs in parallel, since the windows of VS Code mostly wait for their pages. */
async function testPrograms(): Promise<Tally> {
	const others = async () => sumTallies([await testNode(), await testVsix()]);
	return sumTallies(await Promise.all([testInVscode(), others()]));
}

/** One more file than cores: many tests mostly wait for another process, so this keeps all cores busy. */
const FILES_AT_ONCE = availableParallelism() + 1;

/** Maximum milliseconds of a test, so that it cannot block the whole run. */
const LONGEST = "--test-timeout=900000";

/** Runs the unit tests with Node's test runner, and counts them by the last lines of its record. */
async function testUnits(): Promise<Tally> {
	await mkdir(outFolder, { recursive: true });
	const record = join(outFolder, "unitTests.tap");
	const reporters = [
		"--test-reporter=spec",
		"--test-reporter-destination=stdout",
		"--test-reporter=tap",
		`--test-reporter-destination=${record}`,
	];
	const runner = ["--import", "./test/support/tsxHook.ts", "--test", `--test-concurrency=${FILES_AT_ONCE}`];
	const args = [...runner, LONGEST, ...reporters, "test/**/*.test.ts"];
	const env = { ...process.env, COPILOT_LD_BUILT: "true" };
	await runProgram(process.execPath, args, { cwd: root, env }).catch(() => undefined);
	const text = await readFile(record, "utf8");
	for (const [, title = ""] of text.matchAll(/^not ok \d+ - (.*)$/gm)) recall(title);
	const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
	return { passed: count("pass"), failed: count("fail") + count("cancelled") };
}

await main();
