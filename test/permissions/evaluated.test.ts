import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { PermissionRule } from "../../src/core/permission/permission.ts";
import { inParallel } from "../../src/embed/http/inParallel.ts";
import { verdictOf } from "../../src/permissions/permissionRules.ts";
import { makeFolder } from "../support/folder.ts";

const run = promisify(execFile);
const place = { scope: "always", origin: "person", createdAt: 0 } as const;

/** Builtins with a hole for the name of a variable, whose subscript a shell evaluates. */
const HOLES = String.raw`
printf -v % y|printf -v% y|builtin printf -v % y|command printf -v % y|test -v %|[ -v % ]|[[ -v % ]]|[[ % -eq 1 ]]
read % <<< y|read -r % <<< y|unset %|unset -v %|declare -i x=%|declare %=1|typeset %=1|typeset -i x=%|export %=1
readonly %=1|let %|let x=%|mapfile % <<< y|readarray -t % <<< y|getopts ab %|(( % ))|echo $[%]|echo $(( % ))
mapfile -C % -c 1 x <<< y|compgen -C % x|compgen -W %|! printf -v % y|command -p printf -v % y|if printf -v % y; then :; fi|{ printf -v % y; }|local %=1|for % in y; do :; done|printf "%%s" x; printf -v % y|test 1 -eq %
wait -n -p %|: "\${%}"|x=(); x[%]=1|set -- y; printf -v % "$1"|env printf -v % y|printf "%d" %|echo %
`
	.trim()
	.split(/\||\n/);

/** What stands in the hole: quotes keep the shell from running it before the builtin does. */
const NAMES = [
	"'a[$(touch ran)]'",
	'"a[\\$(touch ran)]"',
	"'a[`touch ran`]'",
	"'$(touch ran)'",
	"a['$(touch ran)']",
];
const MORE = [
	"'touch ran #'",
	"'a[b=$(touch ran)]'",
	"'a[1+$(touch ran)]'",
	String.raw`'a[\${x:=$(touch ran)}]'`.replace("\\", ""),
	"$NAME",
];

const LINES = HOLES.flatMap((hole) =>
	[...NAMES, ...MORE].map((name) =>
		hole
			.replaceAll("%%", "\0")
			.replaceAll("%", () => name)
			.replaceAll("\0", "%"),
	),
);

test("no rule that allows a builtin, or everything but `touch`, lets a shell run what stands in its words", async (t) => {
	const folder = await makeFolder(t);
	const ran = (await inParallel([...LINES.entries()], 8, (line) => runs(line, folder), t.signal)).flat();
	const allowed = ran.filter((line) => {
		const program = /^\W*(\w+)/.exec(line)?.[1] ?? "";
		const rules = [[ruleOf("allow", program)], [ALL, ruleOf("deny", "touch")]];
		return rules.some((each) => mayRun(line, each));
	});
	assert.ok(ran.length > 80, `${ran.length} lines ran the command`);
	assert.deepEqual(allowed, []);
});

test("what such builtins do every day is not asked about", () => {
	const lines = [
		"printf '%s [%d]' a 1",
		'test -f "a[1].txt"',
		"unset A",
		"export A=b",
		"echo 'a[$(x)]'",
		"echo let it be",
		"grep test 'a[$(x)]'",
	];
	for (const line of lines) {
		const program = line.split(" ")[0] ?? "";
		assert.ok(mayRun(line, [ruleOf("allow", program)]), line);
	}
});

const ALL: PermissionRule = { id: "all", effect: "allow", ...place };

function ruleOf(effect: "allow" | "deny", value: string): PermissionRule {
	return { id: effect, effect, ...place, argument: { kind: "command", value } };
}

/** The line, if it made the file that stands for a command. */
async function runs([at, line]: [number, string], parent: string): Promise<string[]> {
	const folder = join(parent, `${at}`);
	await mkdir(folder);
	const env = { ...process.env, NAME: "a[$(touch ran)]" };
	// Many lines are no good commands, and run it all the same.
	await run("bash", ["-c", line], { cwd: folder, env, timeout: 5_000 }).catch(() => undefined);
	return existsSync(join(folder, "ran")) ? [line] : [];
}

function mayRun(line: string, rules: PermissionRule[]): boolean {
	const call = { door: "cli", tool: "shell", title: "", workspace: "", mutates: true } as const;
	const { effect } = verdictOf({ ...call, arguments: [{ kind: "command", value: line }] }, rules, {
		ignoreCase: false,
	});
	return effect === "allow";
}
