import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { killGroup } from "../../../src/base/program/runProgram.ts";

test("killGroup ends the process itself if taskkill is missing", async () => {
	const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
	await once(child, "spawn");
	killGroup(child, "SIGKILL", "win32");
	assert.deepEqual(await once(child, "exit"), [null, "SIGKILL"]);
});
