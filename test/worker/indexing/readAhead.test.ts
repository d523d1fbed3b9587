import assert from "node:assert/strict";
import { test } from "node:test";
import { createReadAhead } from "../../../src/worker/indexing/readAhead.ts";

/** Steps that end when they are told to. */
function makeSteps() {
	const open = new Map<string, PromiseWithResolvers<string>>();
	const step = (item: string) => {
		const resolvers = Promise.withResolvers<string>();
		open.set(item, resolvers);
		return resolvers.promise;
	};
	return { open, step };
}

test("results come in the order of the items, whichever step is over first", async () => {
	const { open, step } = makeSteps();
	const ahead = createReadAhead(["a", "b", "c", "d"], step, 3);
	assert.deepEqual([...open.keys()], []);
	const first = ahead.next();
	assert.deepEqual([...open.keys()], ["a", "b", "c"]);
	for (const item of ["c", "b", "a"]) open.get(item)?.resolve(item.toUpperCase());
	assert.equal(await first, "A");
	assert.equal(await ahead.next(), "B");
	assert.deepEqual([...open.keys()], ["a", "b", "c", "d"]);
});

test("an error comes when its turn is, and who stops waits for what has begun", async () => {
	const { open, step } = makeSteps();
	const ahead = createReadAhead(["a", "b", "c"], step, 3);
	const first = ahead.next();
	open.get("b")?.reject(new Error("broken"));
	open.get("a")?.resolve("A");
	assert.equal(await first, "A");
	await assert.rejects(ahead.next(), /broken/);
	let isSettled = false;
	const settled = ahead.settle().then(() => {
		isSettled = true;
	});
	await Promise.resolve();
	assert.equal(isSettled, false);
	open.get("c")?.resolve("C");
	await settled;
});
