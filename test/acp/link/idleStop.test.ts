import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createIdleStop } from "../../../src/acp/link/idleStop.ts";

function open(t: TestContext, idleMs = 1000) {
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const stopping = Promise.withResolvers<void>();
	const seen: string[] = [];
	const idle = createIdleStop({
		idleMs: () => idleMs,
		stop: async () => {
			seen.push("stop");
			await stopping.promise;
			seen.push("stopped");
		},
	});
	return { idle, seen, stopping, tick: (ms: number) => t.mock.timers.tick(ms) };
}

test("what nobody uses is stopped after a while, and once", async (t) => {
	const { idle, seen, tick } = open(t);
	await idle.during(async () => undefined);
	tick(999);
	assert.deepEqual(seen, []);
	tick(5000);
	assert.deepEqual(seen, ["stop"]);
});

test("nothing is stopped while one of two is at work, however long that takes", async (t) => {
	const { idle, seen, tick } = open(t);
	const long = Promise.withResolvers<void>();
	const used = idle.during(() => long.promise);
	await idle.during(async () => undefined);
	tick(100_000);
	assert.deepEqual(seen, []);
	long.resolve();
	await used;
	tick(1000);
	assert.deepEqual(seen, ["stop"]);
});

test("who comes while it is being stopped waits for that, and then begins", async (t) => {
	const { idle, seen, stopping, tick } = open(t);
	await idle.during(async () => undefined);
	tick(1000);
	const next = idle.during(async () => void seen.push("used"));
	stopping.resolve();
	await next;
	assert.deepEqual(seen, ["stop", "stopped", "used"]);
});

test("a use that fails is over, too; and with no time set nothing is ever stopped", async (t) => {
	const { idle, seen, tick } = open(t, 0);
	await assert.rejects(
		idle.during(() => Promise.reject(new Error("no"))),
		/no/,
	);
	tick(10_000_000);
	assert.deepEqual(seen, []);
});
