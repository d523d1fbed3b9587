import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatContext } from "vscode";
import { createSessionJournal } from "../../../src/agent/journal/sessionJournal.ts";
import type { AgentEvent, Turn } from "../../../src/core/agent/agentEvent.ts";
import { historyTurn, isQuoted, wordsOf } from "../../../src/core/agent/turnAnswer.ts";
import type { Sessions } from "../../../src/core/session/session.ts";
import { historyOf, historySinceCli } from "../../../src/vscode/turn/chatHistory.ts";
import { recordOf } from "../../../src/vscode/turn/turnRecord.ts";
import { never, openTemporary } from "../../sessions/temporarySessions.ts";
import { ChatRequestTurn, ChatResponseTurn } from "../../support/fakeVscode.ts";

const LEFT_OUT =
	"(Answered with quotations or rows of a query, which no language model wrote. They are not repeated here.)";
const WRONG: AgentEvent = { kind: "text", text: "At noon." };
const QUOTED: AgentEvent[] = [WRONG, { kind: "ended", reason: "done", isQuoted: true }];
const ENDED: AgentEvent = { kind: "ended", reason: "done" };
const WRITTEN: AgentEvent[] = [{ kind: "text", text: "At dusk." }, ENDED];
const FIRST = { question: "When is it lit?", answer: LEFT_OUT };
const GIVEN: Turn[] = [FIRST, { question: "Are you sure?", answer: "At dusk." }];

function chatOf(...turns: (readonly [string, readonly AgentEvent[], object?])[]): ChatContext {
	const history = turns.flatMap(([question, events, more = {}]) => {
		const record = recordOf("s", question, events);
		const metadata: object = JSON.parse(JSON.stringify({ ...record, ...more }));
		return [new ChatRequestTurn(question), new ChatResponseTurn(metadata)];
	});
	return { history } as unknown as ChatContext;
}

test("models and the CLI get the question that Passages answered, and not its quotations", async () => {
	const chat = chatOf(["When is it lit?", QUOTED], ["Are you sure?", WRITTEN]);
	const { turns } = await historyOf(chat, {} as Sessions, never);
	assert.deepEqual(turns, GIVEN);
	assert.deepEqual(historySinceCli(chat), GIVEN);
});

test("a session that is resumed gives a model no quotations from its journal", async (t) => {
	const { sessions } = await openTemporary(t);
	const journal = createSessionJournal({ sessions, engine: "model", workspace: () => "" });
	for (const [turn, events] of [QUOTED, WRITTEN].entries()) {
		const text = GIVEN[turn]?.question ?? "";
		const saved = await journal.begin("s", { text, attachments: [], isFirst: turn === 0 });
		events.forEach(saved.note);
		await saved.end({ text: events.map(wordsOf).join(""), outcome: "done" });
	}
	const chat = chatOf(["/resume s", [], { resumedTurns: 2 }]);
	assert.deepEqual((await historyOf(chat, sessions, never)).turns, GIVEN);
});

test("quotations that were cut short count as quotations, those of a step do not", () => {
	const searched: AgentEvent = { kind: "retrieved", hits: [] };
	assert.equal(isQuoted([searched, WRONG]), true);
	const report = { budget: 1, used: 1, parts: [] };
	assert.equal(isQuoted([searched, { kind: "context", report }, WRONG]), false);
	assert.equal(isQuoted(QUOTED.map((event) => ({ ...event, step: "a" }))), false);
});

test("of an answer of /graph the query remains, because later questions refine it", () => {
	const query = "```sparql\nSELECT ?light {}\n```";
	const turn = historyTurn({ question: "Which lights?", answer: `${query}\n\n| light |\n` }, true);
	assert.equal(turn.answer, `${query}\n\n${LEFT_OUT}`);
});
