import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { getPriority } from "node:os";
import { test } from "node:test";

test("the parser's process lets the worker and the editor go first", async (t) => {
	const child = fork("src/worker/parsing/parserProgram.ts", ["{}"], { execArgv: [] });
	t.after(() => child.kill());
	await once(child, "message");
	assert.ok(getPriority(child.pid) > getPriority());
});
