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
	// As they are shipped, so that the VSIX has what was tested.
	const built = await checkOff("the programs build", () => build("--minify"));
	const tallies = [checks, built];
	// What was built before says nothing of these sources.
	if (built.failed === 0) tallies.push(await testUnits(), await testPrograms());
	conclude(sumTallies(tallies));
}

/** Here, for several tests that find none would download it at once. They say so where it is still missing. */
async function download(): Promise<void> {
	await Promise.allSettled([obtainChromium(), obtainServer(), obtainNodes(), obtainLlama()]);
}

/** At once, for the windows of VS Code wait for their pages most of the time. */
async function testPrograms(): Promise<Tally> {
	const others = async () => sumTallies([await testNode(), await testVsix()]);
	return sumTallies(await Promise.all([testInVscode(), others()]));
}

/** Many tests wait for another process most of their time, so a few files more than there are cores keep all cores busy. */
const FILES_AT_ONCE = availableParallelism() + 1;

/** Milliseconds after which a test fails that would hold up the whole run. */
const LONGEST = "--test-timeout=900000";

/** The runner of Node shows the tests and leaves a record, whose last lines count them. */
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
