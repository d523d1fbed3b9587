import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createPlanView } from "../../../src/acp/turn/planView.ts";
import { mergeTurns } from "../../../src/acp/turn/session/mergeTurns.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { TranscriptTurn } from "../../../src/core/session/session.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { makeFolder } from "../../support/folder.ts";

const thought: AgentEvent = { kind: "thought", text: "Hm" };
const call = (id: string) => ({ id, name: "shell", input: {} });
const started = (id: string): AgentEvent => ({ kind: "toolStarted", call: call(id) });
const finished = (id: string): AgentEvent => ({ kind: "toolFinished", call: call(id), ok: true, text: "" });

function stored(question: string, answer: string, events: readonly AgentEvent[] = []): TranscriptTurn {
	return own(question, { answer, events });
}

function own(question: string, rest: Partial<TranscriptTurn> = {}): TranscriptTurn {
	const turn = { turn: 0, at: 1, question, attachments: [], events: [], tokens: 7 } as const;
	return { ...turn, answer: "So", outcome: "done", ...rest };
}

test("a turn that both have appears once, with the thoughts from our journal", () => {
	const [turn, ...others] = mergeTurns([own("Y?", { events: [thought] })], [stored("Attached:\n\nY?", "So")]);
	assert.deepEqual(others, []);
	assert.deepEqual(turn?.events, [thought]);
	assert.equal(turn?.tokens, 7);
});

test("turns that share a call are the same, whatever their words", () => {
	const merged = mergeTurns(
		[own("Attached words", { events: [started("c1")], answer: "Half", outcome: "cancelled" })],
		[stored("Other words", "Half and more", [started("c1"), finished("c1")])],
	);
	const [{ question, answer, events }, ...others] = merged as [TranscriptTurn];
	assert.deepEqual([question, answer, others], ["Attached words", "Half and more", []]);
	const actual = events.map(({ kind }) => kind);
	assert.deepEqual(actual, ["toolStarted", "toolFinished"]);
});

const failed = own("Two", { outcome: "failed", error: "No model", answer: "" });

for (const [title, journal, kept, expected] of [
	[
		"a turn that was made elsewhere comes in its place",
		[own("One"), own("Three")],
		[stored("One", "1"), stored("Two", "2"), stored("Three", "3")],
		["0 One: So", "1 Two: 2", "2 Three: So"],
	],
	[
		"a turn that failed is known only to us, and stays where it was",
		[own("One"), failed, own("Three")],
		[stored("One", "x"), stored("Three", "x")],
		["0 One: So", "1 Two: No model", "2 Three: So"],
	],
	["the same twice", [own("A"), own("A")], [stored("A", "1"), stored("A", "2")], ["0 A: So", "1 A: So"]],
	["without what the CLI has stored, the journal is all there is", [own("One")], [], ["0 One: So"]],
	["without a journal, what the CLI has stored is all there is", [], [stored("One", "1")], ["0 One: 1"]],
] as const)
	test(title, () => {
		const all = mergeTurns(journal, kept);
		assertMapped(all, ({ answer, error = answer, ...of }) => `${of.turn} ${of.question}: ${error}`, expected);
	});

type Plan = Extract<AgentEvent, { kind: "plan" }>;

test("a plan and its steps are shown while they change, without anybody telling of it", async (t) => {
	const folder = await makeFolder(t);
	await writeFile(join(folder, "plan.md"), "# Old\n");
	const shown: Plan[] = [];
	let check: () => void = () => undefined;
	const view = createPlanView(folder, (event) => {
		shown.push(event as Plan);
		check();
	});
	const until = (isMeant: (plan: Plan) => boolean) =>
		new Promise<void>((resolve) => {
			check = () => void (shown.some(isMeant) && resolve());
			check();
		});
	t.after(view.stop);
	await view.seen();
	assert.deepEqual(shown, [], "what was there before is not shown again");
	await writeFile(join(folder, "plan.md"), "# Plan\n");
	await until(({ text }) => text === "# Plan\n");
	const database = new DatabaseSync(join(folder, "session.db"));
	t.after(() => database.close());
	database.exec("CREATE TABLE todos (id TEXT, title TEXT, status TEXT)");
	database.exec("INSERT INTO todos VALUES ('a', 'Look', 'in_progress')");
	await until(({ steps }) => steps[0]?.status === "running");
	database.exec("UPDATE todos SET status = 'done'");
	await until(({ steps }) => steps[0]?.status === "done");
});
