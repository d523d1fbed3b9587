import { mkdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { build } from "./build.ts";
import { checkCode } from "./checkCode.ts";
import { outFolder, root } from "./paths.ts";
import { runProgram } from "./runProgram.ts";
import { checkOff, conclude, sumTallies, type Tally } from "./tally.ts";
import { testNode } from "./testNode.ts";
import { testInVscode } from "./testVscode.ts";
import { testVsix } from "./testVsix.ts";
import { obtainChromium } from "./vscode/obtainChromium.ts";

/** `npm test`: every check, and a summary line at the end. */
async function main(): Promise<void> {
	// Now, for several files of tests that find none would install it at once. They say so where there is none.
	await obtainChromium().catch(() => undefined);
	const tallies = [await checkCode(), await checkOff("the programs build", () => build())];
	// What was built before says nothing of these sources.
	const built = tallies.at(-1)?.failed === 0;
	for (const stage of built ? [testUnits, testNode, testInVscode, testVsix] : []) tallies.push(await stage());
	conclude(sumTallies(tallies));
}

/** Many tests wait for another process most of their time, so a few files more than there are cores keep all cores busy. */
const FILES_AT_ONCE = availableParallelism() + 1;

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
	const args = [...runner, ...reporters, "test/**/*.test.ts"];
	const env = { ...process.env, COPILOT_LD_BUILT: "true" };
	await runProgram(process.execPath, args, { cwd: root, env }).catch(() => undefined);
	const text = await readFile(record, "utf8");
	const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
	return { passed: count("pass"), failed: count("fail") + count("cancelled") };
}

await main();
