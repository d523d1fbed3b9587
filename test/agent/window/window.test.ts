import assert from "node:assert/strict";
import { test } from "node:test";
import { fitPast, measurePast } from "../../../src/agent/window/fitHistory.ts";
import { fitRounds, flow, measureRounds } from "../../../src/agent/window/fitWindow.ts";
import { createSummaries } from "../../../src/agent/window/summaries.ts";
import { createTokenCounts } from "../../../src/agent/window/tokenCounts.ts";
import type { Turn } from "../../../src/core/agent/agentEvent.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { fakeModel, type Reply } from "../../support/fakeModel.ts";

/** Counts one token per word. */
const count = async (text: string) => text.match(/\S+/g)?.length ?? 0;
const words = (number: number, word = "word") => Array.from({ length: number }, () => word).join(" ");

test("tokens that a part of the prompt does not need go to the other parts", () => {
	const even = (want: number) => ({ weight: 1, want });
	for (const [free, wants, shares] of [
		[90, [10, 100, 100], [10, 40, 40]],
		[90, [10, 20, 30], [10, 20, 30]],
		[90, [0, 0, 500], [0, 0, 90]],
		[-5, [1, 2], [0, 0]],
		[100, [], []],
	] as const)
		assert.deepEqual(flow(free, Array.from(wants, even)), shares);
	const weighted = [3, 1].map((weight) => ({ weight, want: 1000 }));
	assert.deepEqual(flow(100, weighted), [75, 25]);
});

test("token counts, but not failures, are cached per model until the cache is full", async () => {
	let calls = 0;
	const counts = createTokenCounts(20);
	const counter = (model: string) =>
		counts.of(model, async (text) => {
			calls++;
			if (calls === 1) throw new Error("busy");
			return text.length;
		});
	await assert.rejects(counter("a")("one"), /busy/);
	const counted = ["a", "b", "a", "b"].map((model) => counter(model)("one"));
	assert.deepEqual(await Promise.all(counted), [3, 3, 3, 3]);
	await counter("a")("one");
	assert.equal(calls, 3);
	await counter("a")("a long text that takes the place");
	await counter("a")("one");
	assert.equal(calls, 5);
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

test("if tokens are short, the last turn and related turns are kept first, then recent turns", async () => {
	const history = ["a", "b", "c", "d", "e"].map((name) => turn(name, 10));
	assert.deepEqual((await past("tell me of b", 60, history)).names, ["b", "d", "e"]);
	assert.deepEqual((await past("tell me more", 60, history)).names, ["c", "d", "e"]);
	const { parts } = await past("tell me of b", 40, history);
	assertMapped(parts, ({ title, given, why }) => [title, given, why], [
		["about a", 0, "it did not fit"],
		["about b", 20, "it is related to the question"],
		["about c", 0, "it did not fit"],
		["about d", 0, "it did not fit"],
		["about e", 20, "it is the last turn"],
	]);
});

const call = (id: string) => ({ id, name: "read", input: { target: id } });

async function fitAll(results: readonly (readonly number[])[], allowance: number) {
	const rounds = results.map((lengths) => ({
		...{ text: "", calls: lengths.map((length) => call(`${length}`)) },
		outcomes: lengths.map((length) => words(length)),
	}));
	return fitRounds(await measureRounds(rounds, count), allowance, { count, noteOf: () => () => "\n(cut)" });
}

test("long results are cut to a fair share of tokens; if results still do not fit, the oldest rounds are dropped", async () => {
	const cut = await fitAll([[10, 1000], [1000]], 300);
	const costs = await Promise.all(cut.rounds.flatMap(({ outcomes }) => outcomes.map(count)));
	assert.equal(costs[0], 10);
	assert.ok((costs[1] ?? 0) > 100 && (costs[2] ?? 0) > 100);
	assert.ok(cut.used <= 300);
	const { rounds, parts } = await fitAll([[1001], [1002], [1003]], 130);
	assertMapped(rounds, ({ calls }) => calls[0]?.id, ["1002", "1003"]);
	assertMapped(parts, ({ given }) => given > 0, [false, true, true]);
});

const never = new AbortController().signal;
const WINDOW = 2000;

/** Creates turns of about 100 tokens each. */
function conversation(length: number): Turn[] {
	return Array.from({ length }, (_, at) => ({ question: `question ${at}`, answer: "word ".repeat(75) }));
}

async function prepare(turns: number, ...replies: Reply[]) {
	const model = fakeModel(replies, WINDOW);
	const summaries = createSummaries();
	await summaries.prepare(conversation(turns), model, never);
	return { model, summaries };
}

test("a long conversation is summarized except for the last turns; a later summary extends the earlier summary", async () => {
	const { model, summaries } = await prepare(10, ["They spoke ", "of words."], ["Both parts."]);
	const words = (at: number) => model.requests[at]?.messages[1]?.text ?? "";
	assert.match(words(0), /question 0\n.*question 7\n/s);
	assert.doesNotMatch(words(0), /question 8/);
	assert.deepEqual(model.requests[0]?.tools, []);
	await summaries.prepare(conversation(12), model, never);
	const { turns, text } = summaries.of(conversation(12)) ?? {};
	assert.deepEqual([turns, text, model.requests.length], [8, "They spoke of words.", 1]);
	const forked = conversation(10).with(7, { question: "another", answer: "other" });
	for (const other of [forked, conversation(5)]) assert.equal(summaries.of(other), undefined);
	await summaries.prepare(conversation(16), model, never);
	assert.match(words(1), /^Summary of what .*They spoke of words\..*question 8/s);
	assert.equal(summaries.of(conversation(16))?.turns, 14);
});

test("a conversation longer than the window is summarized in parts", async () => {
	const { model, summaries } = await prepare(40, ["Part one."]);
	const read = summaries.of(conversation(40))?.turns ?? 0;
	assert.ok(read > 5 && read < 20, `${read} turns`);
	const cost = (model.requests[0]?.messages ?? []).reduce((sum, { text }) => sum + text.length / 4, 0);
	assert.ok(cost < WINDOW);
});

test("a conversation is summarized once at a time, and again after a failure", async () => {
	const model = fakeModel([new Error("quota"), ["Later."]], WINDOW);
	const summaries = createSummaries();
	const first = summaries.prepare(conversation(10), model, never);
	await summaries.prepare(conversation(10), model, never);
	await assert.rejects(first, /quota/);
	assert.equal(model.requests.length, 1);
	await summaries.prepare(conversation(10), model, never);
	assert.equal(summaries.of(conversation(10))?.text, "Later.");
});

test("a stored summary is restored only for a conversation with the summarized turns", async () => {
	const model = fakeModel([["They spoke of words."]], WINDOW);
	const kept = await createSummaries().prepare(conversation(10), model, never);
	assert.ok(kept);
	const later = createSummaries();
	await later.restore(conversation(5), kept);
	await later.restore(conversation(12).with(3, { question: "another", answer: "other" }), kept);
	assert.equal(later.of(conversation(12)), undefined);
	await later.restore(conversation(12), kept);
	assert.partialDeepStrictEqual(later.of(conversation(12)), { turns: 8, text: "They spoke of words." });
});
