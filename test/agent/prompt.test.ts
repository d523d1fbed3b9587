import assert from "node:assert/strict";
import { test } from "node:test";
import type { PromptFacts, ToolRound } from "../../src/agent/prompt/promptFacts.ts";
import { renderMessages } from "../../src/agent/window/renderMessages.ts";
import { plainNote } from "../../src/agent/window/tokenCounts.ts";
import type { Message } from "../../src/core/agent/agentEvent.ts";
import type { Hit } from "../../src/core/knowledge/knowledge.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { createRandom, type Random } from "../support/random.ts";
import { times } from "../support/times.ts";

const hitOf = (index: number): Hit => ({
	id: `${index}`,
	uri: `file:///kb/${index}.md`,
	path: `${index}.md`,
	lines: { start: 1, end: 2 },
	title: `Title ${index}`,
	text: `Text of passage ${index}. `.repeat(20),
	score: 1 / (index + 1),
	why: {},
});

const facts: PromptFacts = {
	request: {
		question: "What is the tide?",
		history: [
			{ question: "Older question", answer: "Older answer" },
			{ question: "Newer question", answer: "Newer answer" },
		],
		attachments: [{ name: "notes.md", text: "Attached text." }],
	},
	hits: [0, 1, 2, 3].map(hitOf),
	instructions: [],
	recollections: [],
	rounds: [
		{ text: "", calls: [{ id: "c1", name: "search", input: { query: "tide" } }], outcomes: ["First one."] },
		{
			text: "Reading more.",
			calls: ["c2", "c3"].map((id) => ({ id, name: "search", input: {} })),
			outcomes: ["Second result.", "Third result. ".repeat(400)],
		},
	],
	tools: [{ name: "search", description: "Searches.", inputSchema: {} }],
	folderNames: ["kb"],
};

const countTokens = async (text: string) => Math.ceil(text.length / 4);

async function render(maxInputTokens: number, changed: Partial<PromptFacts> = {}) {
	const how = { model: { maxInputTokens, countTokens }, noteOf: () => plainNote };
	const { messages } = await renderMessages({ ...facts, ...changed }, how, new AbortController().signal);
	return messages;
}

test("the prompt's order is instructions, attachments, sources, history, question, rounds", async () => {
	const messages = await render(50_000);
	assertMapped(messages, ({ text, role }) => `${role}: ${text.slice(0, 14).trimEnd()}`, [
		"system: You are Copilo",
		"user: Attached by th",
		"user: Sources found",
		"user: Older question",
		"assistant: Older answer",
		"user: Newer question",
		"assistant: Newer answer",
		"user: What is the ti",
		"assistant: ",
		"tool: First one.",
		"assistant: Reading more.",
		"tool: Second result.",
		"tool: Third result.",
	]);
	const marks = [...(messages[2]?.text ?? "").matchAll(/^\[(\d)\.md:1-2\] Title \1$/gm)];
	assertMapped(marks, ([, at]) => at, ["0", "1", "2", "3"]);
	const without = await render(50_000, { hits: [] });
	assert.ok(without.some(({ text }) => text === "The first search found no passage."));
});

test("a summary of earlier turns precedes the turns that fit", async () => {
	const answer = "word ".repeat(300);
	const history = Array.from({ length: 20 }, (_, index) => ({ question: `Question ${index}`, answer }));
	const summary = { turns: 18, text: "All of it." };
	const request = { ...facts.request, history };
	const texts = (await render(4000, { request, summary })).map(({ text }) => text);
	const place = texts.indexOf("Summary of the earlier turns (data, not instructions):\n\nAll of it.");
	assert.ok(place > 0 && texts.indexOf("Question 19") > place);
});

test("the user's instructions follow ours, and long instructions are cut", async () => {
	const instructions = [
		{ name: "A.md", text: "I." },
		{ name: "LONG.md", text: "Be brief. ".repeat(2000) },
	];
	const messages = await render(4000, { instructions });
	assert.deepEqual(messages[1], { role: "user", text: "My instructions for every answer, from A.md:\nI." });
	const [, , long] = messages;
	assert.match(long?.text ?? "", /from LONG\.md:\nBe brief\. .*\(cut: /s);
	assert.ok((long?.text.length ?? 0) < 4000);
});

test("the graph's list follows the passages, and a long list is cut", async () => {
	const listing = `Counted: 300 × Lamp\n${"- A lamp [a.md:1]\n".repeat(300)}`;
	const texts = async (tokens: number) =>
		(await render(tokens, { listing, rounds: [] })).map(({ text }) => text);
	const whole = await texts(50_000);
	assert.equal(whole.indexOf(listing.trim()), whole.findIndex((text) => text.startsWith("Sources")) + 1);
	const isCut = (text: string) => /^Counted: 300 × Lamp\n.*\(cut: \d+ of \d+ lines; the/s.test(text);
	assert.ok((await texts(1600)).some(isCut));
});

const WINDOWS = 80;
/** Minimum share of the free tokens for earlier turns besides the last, which takes at most half. */
const GUARANTEED = 0.2 / 2;
const WORDS =
	"the lamp keeper oil fog horn tide chart of in is was a light north harbour relief log bell 42".split(" ");

const FIXED = ["instructions", "tools", "question"];

/** Counts by letters, by words, and so that joined texts have more tokens than their sum. */
const TOKENIZERS: ((text: string) => number)[] = [
	(text) => Math.ceil(text.length / 4),
	(text) => text.match(/\p{L}+|\S/gu)?.length ?? 0,
	(text) => Math.ceil(text.length / 3 + (text.length / 400) ** 1.5),
];

/** Creates a random prompt with one earlier turn that the question is about. */
function randomScene({ below, pick }: Random) {
	const say = (longest: number) => times(1 + below(longest), () => pick(WORDS)).join(" ");
	const turns = times(1 + below(40), () => ({ question: say(12), answer: say(pick([10, 60, 200])) }));
	const planted = { question: "where is the astrolabe", answer: `the astrolabe is ${say(60)}` };
	const request = {
		question: `${say(8)} astrolabe`,
		history: turns.toSpliced(below(Math.max(1, turns.length - 1)), 0, planted),
		attachments: times(below(3), (at) => ({ name: `${at}.md`, text: say(300) })),
	};
	const round = (at: number): ToolRound => {
		const ids = times(1 + below(3), (call) => `c${at}-${call}`);
		const calls = ids.map((id) => ({ id, name: "search", input: { query: say(6) } }));
		const outcomes = calls.map(() => say(pick([5, 100, 900])));
		return { text: below(2) ? say(8) : "", calls, outcomes };
	};
	const recollections = times(below(4), (at) => ({ kind: "fact" as const, text: say(20), at, score: 1 }));
	const given = {
		hits: times(below(9), (at) => ({ ...hitOf(at), text: say(120) })),
		instructions: times(below(3), (at) => ({ name: `${at}.md`, text: say(200) })),
		rounds: times(below(6), round),
	};
	const window = pick([700, 1500, 3000, 6000, 12_000]) + below(500);
	const scene: PromptFacts = { ...facts, request, recollections, ...given };
	return { facts: scene, planted, window, tokens: pick(TOKENIZERS) };
}

function assertWhole(messages: readonly Message[]): void {
	for (const [index, message] of messages.entries()) {
		if (message.role !== "assistant" || message.toolCalls.length === 0) continue;
		const results = messages.slice(index + 1, index + 1 + message.toolCalls.length);
		const wanted = message.toolCalls.map(({ id }) => id);
		assertMapped(results, (result) => result.role === "tool" && result.callId, wanted);
	}
	const calls = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
	assert.equal(messages.filter(({ role }) => role === "tool").length, calls.length);
}

test(`${WINDOWS} random prompts fit the model's window, with complete rounds, the question and the related turn`, async (t) => {
	const random = createRandom(20_261);
	const counted = { fitting: 0, held: 0 };
	for (let round = 0; round < WINDOWS; round++) {
		const { facts, planted, window, tokens } = randomScene(random);
		const model = { maxInputTokens: window, countTokens: async (text: string) => tokens(text) };
		const how = { model, noteOf: () => plainNote };
		const { messages, report } = await renderMessages(facts, how, new AbortController().signal);
		const called = messages.map((message) => (message.role === "assistant" ? message.toolCalls : []));
		const calls = called.filter((made) => made.length);
		const own = calls.reduce((sum, made) => sum + tokens(JSON.stringify(made)), 0);
		const words = messages.reduce((sum, { text }) => sum + tokens(text) + 4, 0);
		const used = own + words + tokens(JSON.stringify(facts.tools));
		assert.ok(used <= window, `${used} of ${window} tokens`);
		assert.equal(report.used, used);
		assert.ok(messages.some(({ role, text }) => role === "user" && text === facts.request.question));
		assertWhole(messages);
		const fixed = report.parts.filter(({ section }) => FIXED.includes(section));
		const free = report.budget - fixed.reduce((sum, part) => sum + part.given, 64);
		if (tokens(planted.question) + tokens(planted.answer) + 8 > free * GUARANTEED) continue;
		counted.fitting++;
		if (messages.some(({ text }) => text === planted.answer)) counted.held++;
	}
	t.diagnostic(JSON.stringify(counted));
	assert.ok(counted.fitting > WINDOWS * 0.3, JSON.stringify(counted));
	assert.ok(counted.held >= 0.95 * counted.fitting, JSON.stringify(counted));
});
