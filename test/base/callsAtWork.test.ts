import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createCallsAtWork } from "../../src/base/jobs/callsAtWork.ts";

const never = new AbortController().signal;

test("of fifty calls of a command at once, eight run at a time and none is refused", async () => {
	const { during } = createCallsAtWork();
	let [running, most] = [0, 0];
	const call = async () => {
		most = Math.max(most, ++running);
		await setImmediate();
		running--;
	};
	await Promise.all(Array.from({ length: 50 }, () => during("a:b", call, never)));
	assert.deepEqual([running, most], [0, 8]);
});

test("a call that waits for its turn can be cancelled", async () => {
	const { during } = createCallsAtWork(1);
	const cancel = new AbortController();
	const { promise, resolve } = Promise.withResolvers<void>();
	const first = during("a:b", () => promise, never);
	const second = during("a:b", () => assert.fail("it was cancelled"), cancel.signal);
	cancel.abort();
	await assert.rejects(second, { name: "AbortError" });
	resolve();
	await first;
});
