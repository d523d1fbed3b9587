import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { parseCommandLine } from "../../../src/permissions/commands/commandLine.ts";
import { makeFolder } from "../../support/folder.ts";
import { createRandom } from "../../support/random.ts";
import { times } from "../../support/times.ts";
import { effectOf, ruleOf } from "../judging.ts";

/** The commands with their words; `?` is an unknown part, `!` marks assignments and redirections. */
function commandsOf(text: string): string[] {
	return parseCommandLine(text).commands.map(
		({ words, isPlain }) =>
			`${isPlain ? "" : "!"}${words.map((word) => word.replace(/[\0\ue000-\ue003]+/g, "?")).join("|")}`,
	);
}

const clear: [string, string[]][] = [
	["git status", ["git|status"]],
	["  git \t status  ", ["git|status"]],
	["git commit -m 'a; b && c'", ["git|commit|-m|a; b && c"]],
	['git commit -m "a | b"', ["git|commit|-m|a | b"]],
	["git st''at\"us\"", ["git|status"]],
	["a; b && c || d | e & f\ng\r\nh", ["a", "b", "c", "d", "e", "f", "g", "h"]],
	["echo $(rm -rf x)", ["rm|-rf|x", "echo|?"]],
	['echo "now: $(date; rm x)"', ["date", "rm|x", "echo|now: ?"]],
	["a $(b $(c))", ["c", "b|?", "a|?"]],
	["$TOOL push", ["?|push"]],
	["git diff HEAD~1 HEAD^", ["git|diff|HEAD~1|HEAD^"]],
	["ls *.ts ~/x {a,b}", ["ls|?.ts|~?/x|?"]],
	["A=1 B=2 git status", ["!git|status"]],
	["git status > out.txt", ["!git|status"]],
	["git status 2>&1 >/dev/null", ["git|status"]],
	["git status 2> log.txt", ["!git|status"]],
	["git status >&1log.txt", ["!git|status"]],
	["git status >&-log.txt", ["!git|status"]],
	["git status 2>&12", ["git|status"]],
	["sort < in.txt", ["!sort"]],
	["git log --format='%h $(x) `y`'", ["git|log|--format=%h $(x) `y`"]],
	["cat my\\ file", ["cat|my?file"]],
];

const unclear: [string, string[]][] = [
	["", []],
	["git status 'x", ["git|status|x"]],
	['git status "x', ["git|status|x"]],
	["echo $(rm x", ["rm|x", "echo|?"]],
	["echo `rm x`", ["rm|x", "echo|?"]],
	["(rm x)", ["rm|x"]],
	["{ rm x; }", ["rm|x"]],
	["{ A=1; }", ["!"]],
	["if true; then rm x; fi", ["true", "rm|x"]],
	["git status # ; rm x", ["git|status|#", "rm|x"]],
	["cat <<EOF\nrm\nEOF", ["!cat|EOF", "rm", "EOF"]],
	["diff <(rm x) y", ["!diff|rm|x", "y"]],
	['git "a\\"; rm x"', ["git|a?; rm x"]],
	["git status \\\n --short", ["git|status|?|--short"]],
	["echo $\u007bX:-$(rm x)}", ["rm|x", "echo|?X:-?}"]],
	["git status \u201c; rm x", ["git|status|\u201c", "rm|x"]],
	["git status \u202e", ["git|status|\u202e"]],
	["git status \u0000", ["git|status|?"]],
	["echo $'a'", ["echo|?a"]],
];

test("all commands of a command line are found, and lines that shells may read differently are not clear", () => {
	for (const [text, commands] of [...clear, ...unclear]) assert.deepEqual(commandsOf(text), commands, text);
	for (const [text] of clear) assert.ok(parseCommandLine(text).isClear, text);
	for (const [text] of unclear) assert.ok(!parseCommandLine(text).isClear, text);
	// Moderate nesting is clear; extreme nesting is not and does no harm.
	assert.ok(parseCommandLine("echo $(a $(b $(c $(d))))").isClear);
	assert.ok(!parseCommandLine("a $(".repeat(100_000)).isClear);
});

const LINES = 20_000;
const PIECES = [
	..."' \" \\ $ ( ) ` ; & | \n < > { } # * ~ ! = [ ] % ^ @ , ? + : \t".split(" "),
	..."good|good |bad|bad | | |x|A=1 |$X|$(|$((|`bad`|$(bad)|$\u007bX:-|}".split("|"),
	...[">/dev/null", "2>&1", "&>", "if ", "then ", "fi", "do ", "done", "-c ", "$'", "\\\n", "<<E\n", "\nE\n"],
];

/** Random lines that a rule for `good` allows. */
function allowedLines(): string[] {
	const { below, pick } = createRandom(77);
	const lines = times(LINES, () => `good ${times(1 + below(9), () => pick(PIECES)).join("")}`);
	return [...new Set(lines.filter((line) => effectOf(line, ruleOf("allow", "good")) === "allow"))];
}

/** Runs each line in a shell where `bad` leaves a mark; returns the lines that ran `bad`. Lines may fail. */
async function linesThatRanBad(t: TestContext, shell: string, lines: readonly string[]): Promise<string[]> {
	const cwd = await makeFolder(t);
	const runs = lines.map((line, at) => `at=${at}; line='${line.replaceAll("'", "'\\''")}'; (eval "$line")`);
	const script = ["good() { :; }", 'bad() { echo "$at" >&3; }', ...runs].join("\n");
	await writeFile(join(cwd, "script.sh"), script);
	const stdio = ["ignore", "ignore", "ignore", "pipe"] as const;
	const { output } = spawnSync(shell, ["./script.sh"], { cwd, env: { PATH: "/nowhere" }, stdio: [...stdio] });
	const marks = String(output[3]).split("\n").filter(Boolean);
	return marks.map((at) => lines[Number(at)] ?? at);
}

const allowed = allowedLines();

for (const shell of ["/bin/sh", "/bin/bash"])
	test(`an allowed command line runs no other command in ${shell}`, {
		skip: !existsSync(shell) && "there is no such shell",
	}, async (t) => {
		t.diagnostic(`${allowed.length} of ${LINES} lines are allowed`);
		assert.ok(allowed.length > 1000 && allowed.some((line) => line.includes("bad")));
		assert.deepEqual(await linesThatRanBad(t, shell, allowed), []);
		const control = ["good; bad", "good $(bad)", "good `bad`", "good\nbad"];
		assert.deepEqual(await linesThatRanBad(t, shell, control), control);
	});
