import assert from "node:assert/strict";
import { test } from "node:test";
import { createSummaries } from "../../../src/agent/window/summaries.ts";
import type { Turn } from "../../../src/core/agent/agentEvent.ts";
import { fakeModel, type Reply } from "../../support/fakeModel.ts";

const never = new AbortController().signal;
const WINDOW = 2000;

/** Turns of about 100 tokens each. */
function conversation(length: number): Turn[] {
	return Array.from({ length }, (_, index) => ({
		question: `question ${index}`,
		answer: "word ".repeat(75),
	}));
}

async function prepare(turns: number, ...replies: Reply[]) {
	const model = fakeModel(replies, WINDOW);
	const summaries = createSummaries();
	await summaries.prepare(conversation(turns), model, never);
	return { model, summaries };
}

test("of a long one all but the last turns are summarized, and the summary is there for what follows", async () => {
	const { model, summaries } = await prepare(10, ["They spoke ", "of words."]);
	const [request] = model.requests;
	assert.match(request?.messages[1]?.text ?? "", /question 0\n.*question 7\n/s);
	assert.doesNotMatch(request?.messages[1]?.text ?? "", /question 8/);
	assert.deepEqual(request?.tools, []);
	const { turns, text } = summaries.of(conversation(12)) ?? {};
	assert.deepEqual([turns, text], [8, "They spoke of words."]);
});

test("a later summary goes on from the one before", async () => {
	const { model, summaries } = await prepare(10, ["First part."], ["Both parts."]);
	await summaries.prepare(conversation(12), model, never);
	assert.equal(model.requests.length, 1);
	await summaries.prepare(conversation(16), model, never);
	assert.match(
		model.requests[1]?.messages[1]?.text ?? "",
		/^Summary of what was before:\nFirst part\..*question 8\n/s,
	);
	assert.equal(summaries.of(conversation(16))?.turns, 14);
});

test("a conversation that was forked before the summary's end has none", async () => {
	const { summaries } = await prepare(10, ["Something."]);
	const forked = conversation(10).with(7, { question: "another", answer: "other" });
	assert.equal(summaries.of(forked), undefined);
	assert.equal(summaries.of(conversation(5)), undefined);
});

test("what is longer than the window is summarized in parts", async () => {
	const { model, summaries } = await prepare(40, ["Part one."]);
	const read = summaries.of(conversation(40))?.turns ?? 0;
	assert.ok(read > 5 && read < 20, `${read} turns`);
	const cost = (model.requests[0]?.messages ?? []).reduce((sum, { text }) => sum + text.length / 4, 0);
	assert.ok(cost < WINDOW);
});

test("a conversation is summarized once at a time, and a failure leaves the way free", async () => {
	const model = fakeModel([new Error("quota"), ["Later."]], WINDOW);
	const summaries = createSummaries();
	const first = summaries.prepare(conversation(10), model, never);
	await summaries.prepare(conversation(10), model, never);
	await assert.rejects(first, /quota/);
	assert.equal(model.requests.length, 1);
	await summaries.prepare(conversation(10), model, never);
	assert.equal(summaries.of(conversation(10))?.text, "Later.");
});

test("a summary that was kept is taken up again, and only for the turns that it was made of", async () => {
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
