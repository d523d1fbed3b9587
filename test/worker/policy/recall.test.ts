import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { Door } from "../../../src/core/permission/permission.ts";
import type { JournalEntry } from "../../../src/core/session/journalEntry.ts";
import { listed } from "../../support/listed.ts";
import { never } from "../workerProcess.ts";
import { CONFIG, openPolicy } from "./openPolicy.ts";

const FILES = {
	"hr/plan.md": "# Plan\n\nTwo keepers are to be hired.\n",
	"notes.md": "# Notes\n\nOil for the lamp.\n",
	"crew.ttl": '<urn:bea> <https://example.org/salary> "5" .\n',
};
const HR = "exclude: [.copilot-ld/]\npolicy: [{deny: {paths: [hr/]}, doors: [cli]}]\n";
const WORKSPACE = "file:///rock";

async function open(t: TestContext, config: string) {
	const opened = await openPolicy(t, config, FILES);
	const { sessions, memory } = opened;
	const retrieved = (path: string, isAll = true): AgentEvent => ({
		kind: "retrieved",
		isAll,
		hits: [
			{
				...{ id: "1", uri: opened.workspace.uri(path), path, lines: { start: 1, end: 1 } },
				...{ title: "", text: "", score: 1, why: {} },
			},
		],
	});
	return {
		...opened,
		retrieved,
		say: async (
			id: string,
			turns: readonly (readonly AgentEvent[])[],
			{ engine = "model", attachments = [] }: { engine?: "model" | "cli"; attachments?: string[] } = {},
		) => {
			const at = Date.now();
			const entries = turns.flatMap((events, turn): JournalEntry[] => [
				{ kind: "question", at, turn, text: `Where are the lanterns of ${id}?`, attachments },
				...events.map((event): JournalEntry => ({ kind: "event", at, turn, event })),
				{ kind: "answer", at, turn, text: "The lanterns are in the shed.", outcome: "done" },
			]);
			await sessions.append(id, [{ kind: "session", at, engine, workspace: WORKSPACE }, ...entries], never);
		},
		recalled: async (door: Door) => {
			const query = { query: "lanterns in the shed", workspace: WORKSPACE, limit: 30, door };
			const found = await memory.recall(query, never);
			return found.map(({ session, text }) => (session ? `${session.id} ${session.turn}` : text)).sort();
		},
	};
}

function toolRun(name: string): AgentEvent {
	return { kind: "toolFinished", call: { id: "1", name, input: {} }, ok: true, text: "Two keepers." };
}

test("a turn is recalled only at doors that may see all that it can have been told", async (t) => {
	const { say, recalled, retrieved, workspace } = await open(t, HR);
	await say("hidden", [[retrieved("hr/plan.md")]]);
	await say("seen", [[retrieved("notes.md")]]);
	await say("after", [[retrieved("notes.md")], [retrieved("hr/plan.md")], [retrieved("notes.md")]]);
	await say("graph", [[]]);
	await say("listing", [[retrieved("notes.md", false)]]);
	await say("tool", [[retrieved("notes.md"), toolRun("copilot-ld_query_graph")]]);
	await say("file", [[retrieved("notes.md")]], { attachments: ["plan.md"] });
	await say("cli", [[retrieved("notes.md")]], { engine: "cli" });
	assert.deepEqual(await recalled("cli"), ["after 0", "seen 0"]);
	const all = "after 0|after 1|after 2|cli 0|file 0|graph 0|hidden 0|listing 0|seen 0|tool 0";
	assert.deepEqual(await recalled("chat"), listed(all));
	await workspace.write({ [CONFIG]: "policy: [{deny: {paths: [hr/]}}]" });
	assert.deepEqual(await recalled("chat"), ["after 0", "seen 0"]);
	await workspace.write({ [CONFIG]: "Policy: [{deny: {paths: [hr/]}}]" });
	assert.deepEqual(await recalled("chat"), []);
});

test("what was hidden from a turn already needs not be hidden again, unless it had other ways to files", async (t) => {
	const { say, recalled, retrieved, workspace } = await open(t, "policy: [{deny: {paths: [hr/]}}]");
	await say("graph", [[]]);
	await say("tool", [[retrieved("notes.md", false), toolRun("copilot-ld_query_graph")]]);
	await say("shell", [[retrieved("notes.md"), toolRun("run_in_terminal")]]);
	await say("cli", [[]], { engine: "cli" });
	for (const door of ["chat", "tools", "cli", "mcp"] as const)
		assert.deepEqual(await recalled(door), ["graph 0", "tool 0"], door);
	const more = "policy: [{deny: {paths: [hr/]}}, {deny: {paths: [notes.md]}, doors: [mcp]}]";
	await workspace.write({ [CONFIG]: more });
	assert.deepEqual([await recalled("mcp"), await recalled("cli")], [[], ["graph 0", "tool 0"]]);
});

test("a document of which a part is hidden is no source for that door", async (t) => {
	const policy = "policy: [{deny: {properties: [salary]}, doors: [mcp]}]";
	const { say, recalled, retrieved } = await open(t, policy);
	await say("crew", [[retrieved("crew.ttl")]]);
	await say("notes", [[retrieved("notes.md")]]);
	await say("gone", [[retrieved("gone.md")]]);
	assert.deepEqual(await recalled("mcp"), ["notes 0"]);
});

test("what a model had remembered stays where it may be seen; what a person said is the person's to tell", async (t) => {
	const { memory, recalled, workspace } = await open(t, "policy: []");
	const remember = (text: string, by: "person" | "model") =>
		memory.remember({ text, scope: "user", source: { by } }, never);
	await remember("The lanterns of the shed burn oil.", "model");
	await remember("The lanterns in the shed are red.", "person");
	assert.equal((await recalled("cli")).length, 2);
	await workspace.write({ [CONFIG]: HR });
	assert.deepEqual(await recalled("cli"), ["The lanterns in the shed are red."]);
	assert.equal((await recalled("chat")).length, 2);
	const said = await remember("The lanterns of the shed do not burn oil.", "model");
	assert.ok(said.contradicts.every(({ source }) => source.by === "person"));
});
