import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { PermissionRule } from "../../src/core/permission/permission.ts";
import { createJudge } from "../../src/permissions/permissionRules.ts";
import { makeFolder } from "../support/folder.ts";
import { createRandom } from "../support/random.ts";

const LINES = 8000;
const MOST_RUN = 600;
const WRAPPERS = "env sh timeout nice nohup xargs find setsid stdbuf echo cat true".split(" ");
const PIECES = [
	..."bad|bad |bad x|env |env A=1 |env -u A |env -S |command |exec |eval |nohup |timeout 5 |timeout -k 1 5 ".split(
		"|",
	),
	..."nice |nice -n 1 |setsid |stdbuf -o0 |echo |echo bad |echo x|true |xargs |xargs -n 1 |xargs -I % |% |find . -maxdepth 0 ".split(
		"|",
	),
	..."-exec |{} +|sh -c |sh -ec |sh |'|'|\"|\"|;|&&| || | \n|$(|)|A=bad|$A |B=x |PATH=. |x | |--|-- |builtin |. |b''ad|ba\\d".split(
		"|",
	),
];

const place = { scope: "always", origin: "person", createdAt: 0 } as const;
const judge = createJudge(
	[
		{ id: "1", effect: "allow", ...place },
		{ id: "2", effect: "deny", ...place, argument: { kind: "command", value: "bad" } },
	] satisfies PermissionRule[],
	{ ignoreCase: false },
);

function isAllowed(line: string): boolean {
	const call = { door: "cli", tool: "shell", title: "", workspace: "", mutates: true } as const;
	return judge({ ...call, arguments: [{ kind: "command", value: line }] }).effect === "allow";
}

function randomLines(): string[] {
	const { below, pick } = createRandom(4711);
	const lines = Array.from({ length: LINES }, () =>
		Array.from({ length: 1 + below(8) }, () => pick(PIECES)).join(""),
	);
	return [...new Set(lines)];
}

/** Runs each line where only a few programs are, one of which is `bad` and leaves a mark; gives the lines that ran it. */
async function linesThatRanBad(t: TestContext, shell: string, lines: readonly string[]): Promise<string[]> {
	const folder = await makeFolder(t);
	const bin = join(folder, "bin");
	await mkdir(bin);
	await writeFile(join(bin, "bad"), `#!${shell}\necho "$at" >> ${folder}/marks\n`);
	await chmod(join(bin, "bad"), 0o700);
	for (const name of WRAPPERS) await symlink(join("/usr/bin", name), join(bin, name));
	await mkdir(join(folder, "work"));
	const script = lines.map(
		(line, at) => `export at=${at}; line='${line.replaceAll("'", "'\\''")}'; (eval "$line")`,
	);
	await writeFile(join(folder, "script.sh"), script.join("\n"));
	await writeFile(join(folder, "marks"), "");
	execFileSync(shell, ["-c", `${shell} ../script.sh > /dev/null 2>&1 < /dev/null; true`], {
		cwd: join(folder, "work"),
		env: { PATH: bin },
		stdio: "ignore",
	});
	const marks = (await readFile(join(folder, "marks"), "utf8")).split("\n").slice(0, -1);
	return marks.map((at) => lines[Number(at)] ?? at);
}

const skip = !existsSync("/usr/bin/stdbuf") && "there are no such programs";

test("what a deny lets pass does not run what it denies, in a real shell", { skip }, async (t) => {
	const all = randomLines();
	const allowed = all.filter(isAllowed).slice(0, MOST_RUN);
	t.diagnostic(`${allowed.length} of ${all.length} lines are run`);
	assert.ok(allowed.length > 300 && allowed.some((line) => line.includes("bad")));
	assert.deepEqual(await linesThatRanBad(t, "/bin/sh", allowed), []);
	const control = ["bad", "env bad", "echo bad | xargs env", "sh -c 'env bad'"];
	assert.equal((await linesThatRanBad(t, "/bin/sh", control)).length, control.length);
});
