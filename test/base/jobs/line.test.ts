import assert from "node:assert/strict";
import { test } from "node:test";
import { createLine, type Waiting } from "../../../src/base/jobs/line.ts";

function open() {
	const line = createLine();
	const seen: string[] = [];
	const start = (name: string, wait: Partial<Waiting> = {}) => {
		const job = Promise.withResolvers<void>();
		const signal = new AbortController().signal;
		const begin = () => {
			seen.push(name);
			return job.promise;
		};
		return { end: job.resolve, fail: job.reject, over: line.run(begin, { signal, ...wait }) };
	};
	return { line, seen, start };
}

test("jobs follow each other, told how many are ahead, and one may go first", async () => {
	const { line, seen, start } = open();
	const ahead: number[] = [];
	const onWait = (count: number) => ahead.push(count);
	const jobs = [
		start("1", { onWait }),
		start("2", { onWait }),
		start("3", { onWait }),
		start("4", { onWait, first: true }),
	];
	assert.equal(line.isBusy(), true);
	for (const { end } of jobs) end();
	await Promise.all(jobs.map(({ over }) => over));
	assert.deepEqual(
		[seen, ahead],
		[
			["1", "4", "2", "3"],
			[1, 2, 1],
		],
	);
	assert.equal(line.isBusy(), false);
});

test("one that waits can be moved to the front, until it begins", async () => {
	const { seen, start } = open();
	let goFirst = () => false;
	const jobs = [start("1"), start("2"), start("3", { onWait: (_ahead, go) => (goFirst = go) })];
	assert.equal(goFirst(), true);
	for (const { end } of jobs) end();
	await Promise.all(jobs.map(({ over }) => over));
	assert.deepEqual(seen, ["1", "3", "2"]);
	assert.equal(goFirst(), false);
});

test("one that is aborted leaves the line with the reason, and one that fails lets the next begin", async () => {
	const { seen, start } = open();
	const leaving = new AbortController();
	const first = start("1");
	const second = start("2", { signal: leaving.signal });
	const third = start("3");
	leaving.abort(new Error("gone"));
	await assert.rejects(second.over, /gone/);
	first.fail(new Error("broken"));
	await assert.rejects(first.over, /broken/);
	third.end();
	await third.over;
	assert.deepEqual(seen, ["1", "3"]);
	await assert.rejects(start("4", { signal: leaving.signal }).over, /gone/);
});
