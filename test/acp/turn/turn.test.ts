import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createPlanView } from "../../../src/acp/turn/planView.ts";
import { mergeTurns } from "../../../src/acp/turn/session/mergeTurns.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { TranscriptTurn } from "../../../src/core/session/session.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { makeFolder } from "../../support/folder.ts";
import { untilIt } from "../../support/untilIt.ts";
import { wholeFile } from "../../support/wholeFile.ts";
import { writeAll } from "../loads/writeIn.ts";
import { askOn, assertFailed, eventsOf, type RunnerOptions, requestFor, startRealCli } from "../realCli.ts";
import { bash, called, type ScriptedReply, type SeenRequest, TASK } from "../scriptedModelServer.ts";

/** Scripted replies of each agent, by a word of its persona. */
let scripts = new Map<string, ScriptedReply[]>();

function reply({ whole }: SeenRequest): ScriptedReply {
	const persona = [...scripts.keys()].find((word) => whole.includes(word));
	return scripts.get(persona ?? "")?.shift() ?? { text: [`Done by ${persona}.`] };
}

const cli = await startRealCli(wholeFile(), reply);

const FILES = {
	".github/agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews\n---\nPERSONA-REVIEWER",
	".github/agents/writer.md": "---\nname: writer\ndescription: Writes\ntools: ['*']\n---\nPERSONA-WRITER",
};

async function open(files: Readonly<Record<string, string>> = FILES) {
	const work = await mkdtemp(join(cli.work, "scene-"));
	await writeAll(work, files);
	scripts = new Map();
	const run = async (
		{ name, tools }: { readonly name: string; readonly tools?: readonly string[] },
		replies: readonly ScriptedReply[],
		options?: RunnerOptions,
		question = "Go",
	) => {
		const agent = { name, persona: "", step: name, ...(tools && { tools }) };
		scripts.set(`PERSONA-${name.toUpperCase()}`, [...replies]);
		const session = await cli.open(work);
		const shown = await askOn(cli, session, requestFor(question, { agent }), options);
		return { ...shown, session };
	};
	return { run, has: (name: string) => existsSync(join(work, name)) };
}

test("an unknown agent is an error that lists the known agents", async () => {
	for (const [files, message] of [
		[FILES, /no agent “nobody”\. It knows: reviewer, writer\./],
		[{}, /no agent files/],
	] as const) {
		const { run } = await open(files);
		await assertFailed(await run({ name: "nobody" }, []), { message });
	}
});

const EVERYTHING: RunnerOptions = { answer: () => "once" };

const touch = bash("touch made.txt");
const create = called("create", { path: "made.txt", file_text: "x" });

for (const [what, tools, call, denied] of [
	["runs no command", ["view"], touch, "bash"],
	["makes no file", ["read", "execute"], create, "create"],
	["runs no tool", [], touch, "bash"],
	["gains no tools from unknown names", ["everything", "bash*", "*bash"], touch, "bash"],
	["starts no other agent", undefined, TASK, "task"],
	["starts no other agent", ["*"], TASK, "task"],
	["starts no other agent", ["read", "execute"], TASK, "task"],
] as const)
	test(`a step with ${tools ? `the tools ${tools}` : "all tools"} ${what}, whatever the agent's file and the user allow`, async () => {
		const { run, has } = await open();
		const before = cli.model.requests.length;
		const shown = await run({ name: "writer", ...(tools && { tools }) }, [call], EVERYTHING);
		assert.deepEqual([has("made.txt"), eventsOf(shown, "permission")], [false, []], "nobody is asked");
		const notice = eventsOf(shown, "notice")[0]?.text ?? "";
		assert.ok(notice.includes(`agent writer may not use ${denied}`), notice);
		assert.equal(cli.model.requests.length - before, 2, "one request for the call, one for its denial");
	});

test("a subagent of a step gets no more tools than the step", async () => {
	const { run, has } = await open();
	const below = [bash("touch below.txt")];
	scripts.set("", below);
	const shown = await run({ name: "writer", tools: ["task"] }, [TASK], EVERYTHING);
	assert.equal(below.length, 0, "it was started, and made its call");
	assert.equal(has("below.txt"), false);
	assert.equal(eventsOf(shown, "permission").length, 0);
	assert.match(eventsOf(shown, "notice")[0]?.text ?? "", /may not use bash/);
});

test("a task that begins with a slash does not run a CLI command", async () => {
	const { run } = await open();
	const { session } = await run({ name: "writer" }, [], undefined, "/allow-all on");
	assert.equal(session.options().find(({ id }) => id === "allow_all")?.value, "off");
	assert.match(cli.model.requests.at(-1)?.whole ?? "", /\/allow-all on/);
});

const call = (id: string) => ({ id, name: "shell", input: {} });
const started = (id: string): AgentEvent => ({ kind: "toolStarted", call: call(id) });
const finished = (id: string): AgentEvent => ({ kind: "toolFinished", call: call(id), ok: true, text: "" });

function own(question: string, rest: Partial<TranscriptTurn> = {}): TranscriptTurn {
	const turn = { turn: 0, at: 1, question, attachments: [], events: [], tokens: 7 } as const;
	return { ...turn, answer: "So", outcome: "done", ...rest };
}

test("a turn in both the journal and the store appears once, with the journal's thoughts", () => {
	const events: AgentEvent[] = [{ kind: "thought", text: "Hm" }];
	const merged = mergeTurns([own("Y?", { events })], [own("Attached:\n\nY?")]);
	assertMapped(merged, ({ tokens, ...turn }) => [turn.events, tokens], [[events, 7]]);
});

test("turns that share a call are merged, even if their texts differ", () => {
	const begun = own("Attached words", { events: [started("c1")], answer: "Half", outcome: "cancelled" });
	const whole = own("Other words", { events: [started("c1"), finished("c1")], answer: "Half and more" });
	const expected = ["Attached words", "Half and more", whole.events];
	assertMapped(mergeTurns([begun], [whole]), (of) => [of.question, of.answer, of.events], [expected]);
});

const failed = { outcome: "failed", error: "No model", answer: "" } as const;
const named = (names: string) => names.split(" ").filter(Boolean);

for (const [title, journal, kept, ...expected] of [
	["turns run elsewhere keep their position", "One Three", "One Two Three", "One: So", "Two: 2", "Three: So"],
	["failed turns are kept", "One !Two Three", "One Three", "One: So", "Two: No model", "Three: So"],
	["equal questions stay separate turns", "A A", "A A", "A: So", "A: So"],
	["without stored turns, the journal's turns are used", "One", "", "One: So"],
	["without a journal, the stored turns are used", "", "One", "One: 1"],
] as const)
	test(`merging the journal with stored turns: ${title}`, () => {
		const ours = named(journal).map((name) => own(name.replace("!", ""), name.startsWith("!") ? failed : {}));
		const theirs = named(kept).map((name, at) => own(name, { answer: `${at + 1}` }));
		const shown = expected.map((words, at) => `${at} ${words}`);
		const merged = mergeTurns(ours, theirs);
		assertMapped(merged, (of) => `${of.turn} ${of.question}: ${of.error ?? of.answer}`, shown);
	});

type Plan = Extract<AgentEvent, { kind: "plan" }>;

test("changes to a plan and to its steps are shown without any update from the CLI", async (t) => {
	const folder = await makeFolder(t);
	await writeFile(join(folder, "plan.md"), "# Old\n");
	const shown: Plan[] = [];
	const view = createPlanView(folder, (event) => shown.push(event as Plan));
	const until = (isMeant: (plan: Plan) => boolean) => untilIt(async () => shown.some(isMeant), Boolean);
	t.after(view.stop);
	await view.look();
	assert.deepEqual(shown, [], "an earlier plan is not shown again");
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
