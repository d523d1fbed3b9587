import assert from "node:assert/strict";
import { test } from "node:test";
import { lazily } from "../../../src/base/jobs/lazily.ts";

test("makes the object once, at the first call, answers with it, and has what exists already", async () => {
	let made = 0;
	const make = async () => {
		made++;
		return { double: async (value: number) => value * 2 };
	};
	const doubling = lazily(make, { name: "doubling" });
	assert.equal(doubling.name, "doubling");
	assert.equal(await Promise.resolve(doubling), doubling);
	assert.equal(made, 0);
	assert.equal(await doubling.double(4), 8);
	assert.equal(await doubling.double(5), 10);
	assert.equal(made, 1, "what it keeps in mind is there in the next call");
	assert.throws(() => ({ ...doubling }), TypeError);
});
