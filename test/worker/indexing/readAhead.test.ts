import assert from "node:assert/strict";
import { test } from "node:test";
import { createReadAhead } from "../../../src/worker/indexing/readAhead.ts";

function makeSteps() {
	const open = new Map<string, PromiseWithResolvers<string>>();
	const step = (item: string) => {
		const resolvers = Promise.withResolvers<string>();
		open.set(item, resolvers);
		return resolvers.promise;
	};
	return { open, step };
}

const resultOf = ({ result }: { readonly result: string }) => result;

test("an error comes when its turn is, and who stops waits for what has begun", async () => {
	const { open, step } = makeSteps();
	const ahead = createReadAhead(["a", "b", "c"], step, { most: 3, weightOf: () => 1, room: 99 });
	const first = ahead.next();
	open.get("a")?.resolve("A");
	assert.equal(resultOf(await first), "A");
	open.get("b")?.reject(new Error("broken"));
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

test("what is begun fits into the room until it is done with, and what is too large for it is alone", async () => {
	const weights = [5, 5, 1, 30, 4, 2, 2, 2, 9, 1];
	const items = weights.map((_weight, at) => String(at));
	const weightOf = (item: string) => weights[Number(item)] ?? 0;
	const { open, step } = makeSteps();
	const ahead = createReadAhead(items, step, { most: 4, weightOf, room: 10 });
	const begun: string[] = [];
	for (const item of items) {
		const result = ahead.next();
		const [from, to] = [Number(item), open.size];
		const held = weights.slice(from, to);
		begun.push(held.join("+"));
		assert.ok(held.length === 1 || held.reduce((sum, weight) => sum + weight, 0) <= 10);
		open.get(item)?.resolve(item);
		assert.equal(resultOf(await result), item);
	}
	assert.deepEqual(begun, ["5+5", "5+1", "1", "30", "4+2+2+2", "2+2+2", "2+2", "2", "9+1", "1"]);
});
