import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeFolder } from "../../support/folder.ts";
import { createRandom } from "../../support/random.ts";
import { effectOf, ruleOf } from "../judging.ts";

const LINES = 20_000;
const PIECES = [
	..."' \" \\ $ ( ) ` ; & | \n < > { } # * ~ ! = [ ] % ^ @ , ? + : \t".split(" "),
	..."good|good |bad|bad | | |x|A=1 |$X|$(|$((|`bad`|$(bad)|$\u007bX:-|}".split("|"),
	...[">/dev/null", "2>&1", "&>", "if ", "then ", "fi", "do ", "done", "-c ", "$'", "\\\n", "<<E\n", "\nE\n"],
];

const isAllowed = (line: string) => effectOf(line, ruleOf("allow", "good")) === "allow";

function allowedLines(): string[] {
	const { below, pick } = createRandom(77);
	const lines = Array.from(
		{ length: LINES },
		() => `good ${Array.from({ length: 1 + below(9) }, () => pick(PIECES)).join("")}`,
	);
	return [...new Set(lines.filter(isAllowed))];
}

/** Runs each line in a shell where `bad` leaves a mark; gives those that did. */
async function linesThatRanBad(t: TestContext, shell: string, lines: readonly string[]): Promise<string[]> {
	const folder = await makeFolder(t);
	const script = [
		"good() { :; }",
		'bad() { echo "$at" >> marks; }',
		...lines.map((line, at) => `at=${at}; line='${line.replaceAll("'", "'\\''")}'; (eval "$line")`),
	].join("\n");
	await writeFile(join(folder, "script.sh"), script);
	await writeFile(join(folder, "marks"), "");
	// A line may well fail; only what it runs counts.
	execFileSync(shell, ["-c", `${shell} ./script.sh > /dev/null 2>&1 < /dev/null; true`], {
		cwd: folder,
		env: { PATH: "/nowhere" },
		stdio: "ignore",
	});
	const marks = (await readFile(join(folder, "marks"), "utf8")).split("\n").filter(Boolean);
	return marks.map((at) => lines[Number(at)] ?? at);
}

const allowed = allowedLines();

for (const shell of ["/bin/sh", "/bin/bash"])
	test(`what a rule allows runs nothing else in ${shell}`, {
		skip: !existsSync(shell) && "there is no such shell",
	}, async (t) => {
		t.diagnostic(`${allowed.length} of ${LINES} lines are allowed`);
		assert.ok(allowed.length > 1000 && allowed.some((line) => line.includes("bad")));
		assert.deepEqual(await linesThatRanBad(t, shell, allowed), []);
		const control = ["good; bad", "good $(bad)", "good `bad`", "good\nbad"];
		assert.deepEqual(await linesThatRanBad(t, shell, control), control);
	});
