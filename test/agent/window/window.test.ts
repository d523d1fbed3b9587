import assert from "node:assert/strict";
import { test } from "node:test";
import { fitPast, measurePast } from "../../../src/agent/window/fitHistory.ts";
import { fitRounds, flow, measureRounds } from "../../../src/agent/window/fitRounds.ts";
import { createTokenCounts } from "../../../src/agent/window/tokenCounts.ts";

/** One token for each word: easy to follow. */
const count = async (text: string) => text.match(/\S+/g)?.length ?? 0;
const words = (number: number, word = "word") => Array.from({ length: number }, () => word).join(" ");

test("who wants less than their share leaves the rest to the others", () => {
	const wants = (...numbers: number[]) => numbers.map((want) => ({ weight: 1, want }));
	assert.deepEqual(flow(90, wants(10, 100, 100)), [10, 40, 40]);
	assert.deepEqual(flow(90, wants(10, 20, 30)), [10, 20, 30]);
	assert.deepEqual(flow(90, wants(0, 0, 500)), [0, 0, 90]);
	assert.deepEqual(flow(-5, wants(1, 2)), [0, 0]);
	assert.deepEqual(flow(100, []), []);
	assert.deepEqual(
		flow(100, [
			{ weight: 3, want: 1000 },
			{ weight: 1, want: 1000 },
		]),
		[75, 25],
	);
});

test("a count that failed is made again", async () => {
	let calls = 0;
	const counter = createTokenCounts().of("m", async (text) => {
		calls++;
		if (calls === 1) throw new Error("busy");
		return text.length;
	});
	await assert.rejects(counter("abc"), /busy/);
	assert.equal(await counter("abc"), 3);
	assert.equal(await counter("abc"), 3);
	assert.equal(calls, 2);
});

test("counts of two models are kept apart, and the oldest are forgotten when there are too many", async () => {
	let calls = 0;
	const counts = createTokenCounts(20);
	const counter = (model: string) => counts.of(model, async (text) => ++calls && text.length);
	await counter("a")("one");
	await counter("b")("one");
	assert.equal(calls, 2);
	await counter("a")("a long text that takes the place");
	await counter("a")("one");
	assert.equal(calls, 4);
});

const turn = (name: string, length: number) => ({ question: `about ${name}`, answer: words(length, name) });

async function past(
	question: string,
	allowance: number,
	history: ReturnType<typeof turn>[],
	memories: string[] = [],
) {
	const recollections = memories.map((text) => ({ kind: "fact" as const, text, at: 0, score: 1 }));
	const measured = await measurePast({ question, history, recollections }, count);
	const fitted = await fitPast(measured, allowance, count);
	return { names: fitted.history.map((kept) => kept.question.slice(6)), ...fitted };
}

test("where room is short the last turn and what the question is about are kept, then what is recent", async () => {
	const history = ["a", "b", "c", "d", "e"].map((name) => turn(name, 10));
	assert.deepEqual((await past("tell me of b", 60, history)).names, ["b", "d", "e"]);
	assert.deepEqual((await past("tell me more", 60, history)).names, ["c", "d", "e"]);
	const { parts } = await past("tell me of b", 40, history);
	assert.deepEqual(
		parts.map(({ title, given, why }) => [title, given, why]),
		[
			["about a", 0, "it did not fit"],
			["about b", 20, "it is related to the question"],
			["about c", 0, "it did not fit"],
			["about d", 0, "it did not fit"],
			["about e", 20, "it is the last turn"],
		],
	);
});

const call = (id: string) => ({ id, name: "read", input: { target: id } });

test("results that are too long are cut to a fair share, short ones stay whole", async () => {
	const rounds = [
		{ text: "", calls: [call("1"), call("2")], outcomes: [words(10), words(1000)] },
		{ text: "", calls: [call("3")], outcomes: [words(1000)] },
	];
	const noteOf = () => () => "\n(cut)";
	const fitted = await fitRounds(await measureRounds(rounds, count), 300, { count, noteOf });
	const costs = await Promise.all(fitted.rounds.flatMap(({ outcomes }) => outcomes.map(count)));
	assert.equal(costs[0], 10);
	assert.ok((costs[1] ?? 0) > 100 && (costs[2] ?? 0) > 100);
	assert.ok(fitted.used <= 300);
});

test("the oldest rounds go whole where not even the beginnings of all results fit", async () => {
	const rounds = ["1", "2", "3"].map((id) => ({ text: "", calls: [call(id)], outcomes: [words(1000)] }));
	const noteOf = () => () => "\n(cut)";
	const fitted = await fitRounds(await measureRounds(rounds, count), 130, { count, noteOf });
	const actual = fitted.rounds.map(({ calls }) => calls[0]?.id);
	assert.deepEqual(actual, ["2", "3"]);
	assert.deepEqual(
		fitted.parts.map(({ given }) => given > 0),
		[false, true, true],
	);
});
