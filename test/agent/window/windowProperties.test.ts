import assert from "node:assert/strict";
import { test } from "node:test";
import type { PromptFacts, ToolRound } from "../../../src/agent/prompt/promptFacts.ts";
import { renderMessages } from "../../../src/agent/window/renderMessages.ts";
import { createTokenCounts, plainNote } from "../../../src/agent/window/tokenCounts.ts";
import type { Message, Turn } from "../../../src/core/agent/agentEvent.ts";
import type { Hit } from "../../../src/core/knowledge/knowledge.ts";
import type { Recollection } from "../../../src/core/session/memory.ts";
import { assertNone } from "../../support/assertNone.ts";
import { createRandom, type Random } from "../../support/random.ts";

const WINDOWS = 400;
/** The least that the past gets of what the fixed parts leave over, of which the last turn takes half at most. */
const GUARANTEED = 0.2 / 2;
const WORDS =
	"the lamp keeper oil fog horn tide chart of in is was a light north harbour relief log mast bell 42".split(
		" ",
	);

const FIXED = ["instructions", "tools", "question"];

/** Ways to count: by letters, by words and signs, and one for which two texts side by side take more than each alone. */
const TOKENIZERS: ((text: string) => number)[] = [
	(text) => Math.ceil(text.length / 4),
	(text) => text.match(/\p{L}+|\S/gu)?.length ?? 0,
	(text) => Math.ceil(text.length / 3 + (text.length / 400) ** 1.5),
];

function sentence({ below, pick }: Random, longest: number): string {
	return Array.from({ length: 1 + below(longest) }, () => pick(WORDS)).join(" ");
}

function randomTurn(random: Random): Turn {
	return { question: sentence(random, 12), answer: sentence(random, random.pick([10, 60, 200])) };
}

function randomHit(random: Random, index: number): Hit {
	return {
		...{ id: `${index}`, uri: `file:///${index}.md`, path: `${index}.md`, lines: { start: 1, end: 3 } },
		...{ title: sentence(random, 4), text: sentence(random, 120), score: 1, why: {} },
	};
}

function randomRound(random: Random, index: number): ToolRound {
	const calls = Array.from({ length: 1 + random.below(3) }, (_, position) => ({
		...{ id: `c${index}-${position}`, name: "search", input: { query: sentence(random, 6) } },
	}));
	const outcomes = calls.map(() => sentence(random, random.pick([5, 100, 900])));
	return { text: random.below(2) ? sentence(random, 8) : "", calls, outcomes };
}

function listOf<Item>(length: number, make: (index: number) => Item): Item[] {
	return Array.from({ length }, (_, index) => make(index));
}

/** A turn of long ago that the question is about, somewhere before the last one. */
function plant(random: Random, history: readonly Turn[]): { history: Turn[]; planted: Turn } {
	const planted = {
		question: "where is the astrolabe",
		answer: `the astrolabe lies ${sentence(random, 60)}`,
	};
	const place = random.below(Math.max(1, history.length - 1));
	return { history: history.toSpliced(place, 0, planted), planted };
}

function randomScene(random: Random) {
	const { below, pick } = random;
	const { history, planted } = plant(
		random,
		listOf(1 + below(40), () => randomTurn(random)),
	);
	const facts: PromptFacts = {
		request: {
			question: `${sentence(random, 8)} astrolabe`,
			history,
			attachments: listOf(below(3), (index) => ({ name: `${index}.md`, text: sentence(random, 300) })),
		},
		hits: listOf(below(9), (index) => randomHit(random, index)),
		instructions: listOf(below(3), (index) => ({ name: `${index}.md`, text: sentence(random, 200) })),
		recollections: listOf(
			below(4),
			(index): Recollection => ({ kind: "fact", text: sentence(random, 20), at: index, score: 1 }),
		),
		rounds: listOf(below(6), (index) => randomRound(random, index)),
		tools: [{ name: "search", description: sentence(random, 40), inputSchema: {} }],
		folderNames: ["kb"],
	};
	return {
		facts,
		planted,
		window: pick([700, 1500, 3000, 6000, 12_000]) + below(500),
		tokens: pick(TOKENIZERS),
	};
}

function assertWhole(messages: readonly Message[]): void {
	for (const [index, message] of messages.entries()) {
		if (message.role !== "assistant" || message.toolCalls.length === 0) continue;
		const results = messages.slice(index + 1, index + 1 + message.toolCalls.length);
		const actual = results.map((result) => result.role === "tool" && result.callId);
		assert.deepEqual(
			actual,
			message.toolCalls.map(({ id }) => id),
		);
	}
	const calls = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
	assert.equal(messages.filter(({ role }) => role === "tool").length, calls.length);
}

test(`${WINDOWS} random histories and windows: within budget, whole, with the question and what is relevant`, async (t) => {
	const random = createRandom(20_261);
	const counted = { rendered: 0, tooSmall: 0, fitting: 0, held: 0 };
	for (let round = 0; round < WINDOWS; round++) {
		const { facts, planted, window, tokens } = randomScene(random);
		const model = { maxInputTokens: window, countTokens: async (text: string) => tokens(text) };
		const rendering = renderMessages(facts, { model, noteOf: () => plainNote }, new AbortController().signal);
		const rendered = await rendering.catch((error: Error) => {
			assert.match(error.message, /too long for this model/);
			return undefined;
		});
		if (!rendered) {
			counted.tooSmall++;
			continue;
		}
		counted.rendered++;
		const { messages, report } = rendered;
		const calls = messages.map((message) => (message.role === "assistant" ? message.toolCalls : []));
		const own = calls
			.filter((made) => made.length > 0)
			.reduce((sum, made) => sum + tokens(JSON.stringify(made)), 0);
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
	assert.ok(counted.rendered > WINDOWS * 0.8 && counted.fitting > WINDOWS * 0.3, JSON.stringify(counted));
	assert.ok(counted.held >= 0.95 * counted.fitting, JSON.stringify(counted));
});

test("a text is counted once, also in the next turn", async () => {
	const random = createRandom(5);
	const { facts } = randomScene(random);
	const asked = new Map<string, number>();
	const counts = createTokenCounts();
	for (const question of ["what now", "and then"]) {
		const count = counts.of("m", async (text) => {
			asked.set(text, (asked.get(text) ?? 0) + 1);
			return Math.ceil(text.length / 4);
		});
		const request = { ...facts.request, question };
		const model = { maxInputTokens: 40_000, countTokens: count };
		await renderMessages(
			{ ...facts, request },
			{ model, noteOf: () => plainNote },
			new AbortController().signal,
		);
	}
	assertNone([...asked.values()].filter((times) => times > 1));
});
