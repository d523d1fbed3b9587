import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.ts";
import { passedOf, runSuite, type SuiteResult } from "./suite.ts";
import { suites } from "./suites.ts";

/** `npm run conformance [name …]`: runs all suites, or those whose names contain a word; fails below a bar. */
async function main(words: readonly string[]): Promise<void> {
	const folder = join(process.env["COPILOT_LD_DATA"] ?? join(root, "..", "shared", "data"), "suites");
	if (!existsSync(folder)) {
		console.log(
			`Skipped: there are no suites in ${folder}. Set COPILOT_LD_DATA to the folder that has them.`,
		);
		return;
	}
	const chosen = suites.filter(({ name }) => words.length === 0 || words.some((word) => matches(name, word)));
	const results: SuiteResult[] = [];
	for (const suite of chosen) {
		if (suite.isAbsent?.(folder)) console.log(`Skipped: ${suite.name} is not in ${folder}.`);
		else results.push(await runSuite(suite, folder));
	}
	for (const result of results) printFailures(result);
	printTable(results);
	if (results.length === 0 || results.some(isBelowBar)) process.exitCode = 1;
}

function matches(name: string, word: string): boolean {
	return name.toLowerCase().includes(word.toLowerCase());
}

function isBelowBar(result: SuiteResult): boolean {
	return passedOf(result) < result.suite.bar;
}

function printFailures({ suite, failures }: SuiteResult): void {
	for (const { name, reason } of failures) {
		const why = suite.misfits?.[name];
		console.log(`✖ ${suite.name} ${name}: ${why ? `${why} (${reason})` : reason}`);
	}
}

function printTable(results: readonly SuiteResult[]): void {
	const width = Math.max(...results.map(({ suite }) => suite.name.length));
	console.log(`\n  ${"suite".padEnd(width)}  passed  total    bar  seconds`);
	for (const result of results) {
		const numbers = [passedOf(result), result.total, result.suite.bar].map((number) =>
			`${number}`.padStart(6),
		);
		const mark = isBelowBar(result) ? "✖" : "✔";
		console.log(
			`${mark} ${result.suite.name.padEnd(width)}  ${numbers.join(" ")}  ${result.seconds.toFixed(1)}`,
		);
	}
}

await main(process.argv.slice(2));
