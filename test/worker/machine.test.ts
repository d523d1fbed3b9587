import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { type Machine, requireMachine, TRIAL } from "../../src/worker/machine.ts";
import { makeFolder } from "../support/folder.ts";
import { WORKER } from "../support/programs.ts";

const windows = { platform: "win32", arch: "x64", processor: "", ended: [0, null] } as const;

test("says in one sentence why the index cannot run, and tries only if nothing else tells", async (t) => {
	const machines = [
		{ ...windows, arch: "arm64", trials: 0 },
		{ ...windows, platform: "darwin", trials: 0, says: /no version for this system/ },
		{ ...windows, platform: "linux", processor: "flags : sse4_2 avx2", trials: 0 },
		{ ...windows, platform: "linux", processor: "flags : sse4_2", trials: 1 },
		{ ...windows, trials: 1 },
		{ ...windows, ended: [null, "SIGILL"], trials: 1, says: /does not have AVX2/ },
		{ ...windows, ended: [0xc000_001d, null], trials: 1, says: /does not have AVX2/ },
		{ ...windows, ended: [1, null], trials: 1, says: /no version for this system/ },
	] as const;
	for (const { trials, ended, processor, ...machine } of machines) {
		const folder = await makeFolder(t);
		let tried = 0;
		const trial: Machine["trial"] = async () => {
			tried++;
			return ended;
		};
		const look = () => requireMachine(folder, { ...machine, trial, processor: async () => processor });
		if ("says" in machine) await assert.rejects(look(), { code: "UNSUPPORTED", message: machine.says });
		else for (const _ of ["first", "again"]) await look();
		assert.equal(tried, trials);
	}
});

test("the trial runs in a process of its own", async () => {
	const child = fork(WORKER, ["--node-ipc", TRIAL], { execArgv: [], silent: true });
	assert.deepEqual(await once(child, "exit"), [0, null]);
});
