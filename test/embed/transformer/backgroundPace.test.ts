import assert from "node:assert/strict";
import { test } from "node:test";
import { createBackgroundPace } from "../../../src/embed/transformer/transformerModel.ts";

test("long work rests while others need the machine, short work never does", async (t) => {
	const clock = { now: 0, busy: 0, idle: 0 };
	const slept: number[] = [];
	t.mock.method(performance, "now", () => clock.now);
	const others = [0.9, 0.9, 0.1];
	const inBackground = createBackgroundPace({
		times: () => ({ idle: clock.idle, all: clock.idle + clock.busy }),
		sleep: async (ms) => {
			slept.push(ms);
			clock.now += ms;
			const share = others[Math.floor(slept.length / 2)] ?? 0;
			clock.busy += ms * share;
			clock.idle += ms * (1 - share);
		},
	});
	const step = async () => {
		clock.now += 6_000;
	};
	const signal = new AbortController().signal;
	for (const expected of [[], [], [250, 2_000, 250, 2_000, 250]]) {
		slept.length = 0;
		await inBackground(step, signal);
		assert.deepEqual(slept, expected);
	}
});

test("on a machine that is always busy, work goes on after half a minute", async (t) => {
	const clock = { now: 0 };
	t.mock.method(performance, "now", () => clock.now);
	const inBackground = createBackgroundPace({
		times: () => ({ idle: 0, all: clock.now }),
		sleep: async (ms) => {
			clock.now += ms;
		},
	});
	const signal = new AbortController().signal;
	const step = async () => {
		clock.now += 11_000;
	};
	await inBackground(step, signal);
	const before = clock.now;
	await inBackground(step, signal);
	assert.ok(clock.now - before < 11_000 + 33_000);
});
