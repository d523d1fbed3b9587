import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createCallsAtWork } from "../../../src/base/jobs/callsAtWork.ts";
import { createGate } from "../../../src/base/jobs/gate.ts";
import { lazily } from "../../../src/base/jobs/lazily.ts";
import { createLine, type Waiting } from "../../../src/base/jobs/line.ts";

const LONG_MS = 1_000_000;
const never = new AbortController().signal;

test("an exchange waits for current calls, and later calls wait for the exchange", async () => {
	const { pass, exchange } = createGate(LONG_MS);
	const order: string[] = [];
	const early = Promise.withResolvers<void>();
	const call = pass(() => early.promise).then(() => order.push("early call"));
	await pass(async () => undefined);
	const exchanges = ["first", "second"].map((name) => exchange(async () => order.push(`${name} exchange`)));
	const late = pass(async () => order.push("late call"));
	early.resolve();
	await Promise.all([call, late, ...exchanges]);
	assert.deepEqual(order, ["early call", "first exchange", "second exchange", "late call"]);
});

test("slow or failed calls and failed exchanges do not block later calls", async () => {
	const { pass, exchange } = createGate(1);
	void pass(() => new Promise(() => undefined));
	const fail = () => Promise.reject(new Error("no"));
	await assert.rejects(pass(fail), /no/);
	await assert.rejects(exchange(fail), /no/);
	assert.equal(await pass(async () => 1), 1);
});

test("a lazy object is created once, by its first method call, and has the given members before", async () => {
	let made = 0;
	const make = async () => ({ double: async (value: number) => [value * 2, made], count: made++ });
	const doubling = lazily(make, { name: "doubling" });
	assert.equal(doubling.name, "doubling");
	assert.equal(await Promise.resolve(doubling), doubling);
	assert.equal(made, 0);
	assert.deepEqual(await doubling.double(4), [8, 1]);
	assert.deepEqual(await doubling.double(5), [10, 1]);
	assert.throws(() => ({ ...doubling }), TypeError);
});

function open() {
	const line = createLine();
	const seen: string[] = [];
	const start = (name: string, wait: Partial<Waiting> = {}) => {
		const job = Promise.withResolvers<void>();
		const begin = () => {
			seen.push(name);
			return job.promise;
		};
		return { end: job.resolve, fail: job.reject, over: line.run(begin, { signal: never, ...wait }) };
	};
	const endAll = (jobs: readonly ReturnType<typeof start>[]) => {
		for (const { end } of jobs) end();
		return Promise.all(jobs.map(({ over }) => over));
	};
	return { line, seen, start, endAll };
}

test("jobs in a line run one at a time, and waiting jobs learn the number of jobs ahead", async () => {
	const { line, seen, start, endAll } = open();
	const ahead: number[] = [];
	const onWait = (count: number) => ahead.push(count);
	const jobs = ["1", "2", "3"].map((name) => start(name, { onWait }));
	assert.equal(line.isBusy(), true);
	await endAll(jobs);
	assert.deepEqual({ seen, ahead }, { seen: ["1", "2", "3"], ahead: [1, 2] });
	assert.equal(line.isBusy(), false);
});

test("a waiting job can move to the front of the line until the job begins", async () => {
	const { seen, start, endAll } = open();
	let goFirst = () => false;
	const jobs = [start("1"), start("2"), start("3", { onWait: (_ahead, go) => (goFirst = go) })];
	assert.equal(goFirst(), true);
	await endAll(jobs);
	assert.deepEqual(seen, ["1", "3", "2"]);
	assert.equal(goFirst(), false);
});

test("an aborted job leaves the line with the abort reason, and a failed job lets the next job begin", async () => {
	const { seen, start } = open();
	const leaving = new AbortController();
	const [first, second, third] = [start("1"), start("2", { signal: leaving.signal }), start("3")];
	leaving.abort(new Error("gone"));
	await assert.rejects(second.over, /gone/);
	first.fail(new Error("broken"));
	await assert.rejects(first.over, /broken/);
	third.end();
	await third.over;
	assert.deepEqual(seen, ["1", "3"]);
	await assert.rejects(start("4", { signal: leaving.signal }).over, /gone/);
});

test("fifty parallel calls of a command all run, eight at a time", async () => {
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
