import assert from "node:assert/strict";
import { test } from "node:test";
import { createGate } from "../../../src/base/jobs/gate.ts";

const LONG_MS = 1_000_000;

test("calls go on side by side", async () => {
	const { pass } = createGate(LONG_MS);
	const first = Promise.withResolvers<void>();
	const slow = pass(() => first.promise);
	await pass(async () => first.resolve());
	await slow;
});

test("an exchange lets the calls under way end, and the calls that come meanwhile come after it", async () => {
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

test("a call that takes too long does not hold an exchange up", async () => {
	const { pass, exchange } = createGate(1);
	const never = pass(() => new Promise(() => undefined));
	await pass(async () => undefined);
	assert.equal(await exchange(async () => "exchanged"), "exchanged");
	assert.ok(never);
});

test("a call or an exchange that fails holds nothing up", async () => {
	const { pass, exchange } = createGate(LONG_MS);
	const fail = () => Promise.reject(new Error("no"));
	await assert.rejects(pass(fail), /no/);
	await assert.rejects(exchange(fail), /no/);
	assert.equal(await pass(async () => 1), 1);
});
