import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { inParallel } from "../../src/base/jobs/inParallel.ts";
import { killGroup } from "../../src/base/program/runProgram.ts";
import { makeFolder } from "../support/folder.ts";

/**
 * Runs each line in its own folder with a program `zap` that leaves a mark; returns the lines that ran it.
 * The folder is a repository with a script `f` that runs `zap`, an archive of it, and a C file.
 */
export async function linesThatRanZap(t: TestContext, lines: readonly string[], shell = "bash") {
	const parent = await makeFolder(t);
	const model = join(parent, "model");
	await mkdir(join(model, "bin"), { recursive: true });
	await writeFile(join(model, "f"), "zap\n");
	await writeFile(join(model, "c.c"), "int main;\n");
	const setUp = "git init -q --template= . && git add f && git commit -qm x && tar cf a.tar f";
	execFileSync("sh", ["-c", setUp], { cwd: model, env: { ...process.env, ...AUTHOR } });
	const runOne = async ([at, line]: [number, string]) => {
		const folder = join(parent, `${at}`);
		const filter = (source: string) => line.includes("git") || !source.endsWith(".git");
		await cp(model, folder, { recursive: true, filter });
		const [bin, mark] = [join(folder, "bin"), join(parent, `ran${at}`)];
		await writeFile(join(bin, "zap"), `#!/bin/sh\n: > ${mark}\n`, { mode: 0o700 });
		const env = { ...AUTHOR, HOME: folder, PATH: `${bin}:/usr/bin:/bin`, ...VARIABLES };
		// Invalid commands may run it, too; others continue until they and their children are killed.
		const child = spawn(shell, ["-c", line], { cwd: folder, env, stdio: "ignore", detached: true });
		const ended = AbortSignal.timeout(2_000);
		await once(child, "exit", { signal: ended }).catch(() => undefined);
		killGroup(child, "SIGKILL");
		return existsSync(mark) ? [line] : [];
	};
	return (await inParallel([...lines.entries()], 8, runOne, t.signal)).flat();
}

const AUTHOR = {
	...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a" },
	GIT_CONFIG_GLOBAL: "/dev/null",
};
/** `FUNCNEST` prevents a function that calls itself in subshells from using up all memory. */
const VARIABLES = { Z: "zap", NAME: "a[$(zap)]", E: "-exec", X: "", FUNCNEST: "10" };
