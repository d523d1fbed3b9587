import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import { literal, namedNode, type Quad, subjectOf } from "../../../src/core/knowledge/rdf.ts";
import type { Channel } from "../../../src/core/permission/permission.ts";
import type { JournalEntry } from "../../../src/core/session/journalEntry.ts";
import { createRepeats } from "../../../src/worker/policy/documentView.ts";
import { createPolicies } from "../../../src/worker/policy/policies.ts";
import { isNamed, type StatementRule, splitStatements } from "../../../src/worker/policy/splitStatements.ts";
import { uriOf } from "../../store/sampleDocument.ts";
import { listed } from "../../support/listed.ts";
import { never } from "../workspace.ts";
import { CONFIG, openPolicy } from "./openPolicy.ts";

const nodeOf = (text: string) => subjectOf(/^(?:_|urn|https):/.test(text) ? text : `ex:${text}`);

/** Makes a statement from short names: `a knows _:b` or `a name "Anna"`. */
function quad(text: string, start = 1, end = start): Quad {
	const [subject = "", predicate = "", ...rest] = text.split(" ");
	const value = rest.join(" ");
	const object = value.startsWith('"') ? literal(value.slice(1, -1)) : nodeOf(value);
	return { subject: nodeOf(subject), predicate: namedNode(`ex:${predicate}`), object, lines: { start, end } };
}

function visible(texts: readonly string[], ...rules: readonly StatementRule[]): string[] {
	const quads = texts.map((text) => quad(text));
	const isShown = new Set<Quad | undefined>(splitStatements(quads, rules).visible);
	return texts.filter((_, index) => isShown.has(quads[index]));
}

test("a rule names a class or property by IRI or last segment, ignoring case", () => {
	for (const name of ["https://schema.org/Person", "person", "PERSON", "HTTPS://schema.org/person"])
		assert.ok(isNamed("https://schema.org/Person", [name]), name);
	assert.ok(isNamed("http://example.org/terms#salary", ["x", "Salary"]));
	assert.ok(isNamed("http://example.org/salary/", ["salary"]));
	for (const name of ["son", "schema.org/Person", ""])
		assert.ok(!isNamed("https://schema.org/Person", [name]), name);
});

test("a policy follows a long chain of blank nodes quickly", () => {
	const chain = Array.from({ length: 20_000 }, (_, at) => `_:n${at} rest _:n${at + 1}`);
	assert.deepEqual(visible(["a list _:n0", ...chain], { properties: ["list"], speaksOf: () => true }), []);
});

/** Makes a statement about a resource on a line; an object with a scheme is an IRI. */
const about = (subject: string, object: string, line?: number) =>
	quad(`${subject} p ${/^(?:urn|https):/.test(object) ? object : `"${object}"`}`, line);

function repeats(hidden: string, quad: Quad): boolean {
	const denied = about("urn:ann", hidden);
	return createRepeats([denied, quad], [denied], false)(quad);
}

test("a text repeats a value in any spelling, or a short value as a word; a link repeats a link of equal ends", () => {
	for (const [hidden, said] of [
		["zork-4711", "earns ZORK 4711 a year"],
		["1000000", "1,000,000 a year"],
		["L\u00f6hne", "die lohne"],
		["100", "it is 100!"],
		["1970-08-21", "8/21/1970"],
		["1970-08-21", "urn:day:1970:08:21"],
		["zork mid", "https://e.example/of/zork%20mid/1"],
		["urn:bo", "urn:ann"],
	] as const)
		assert.ok(repeats(hidden, about("urn:bo", said)), `${hidden} in ${said}`);
	assert.ok(repeats("urn:bo", about("urn:ann", "urn:bo", 2)));
	assert.ok(repeats("urn:bo", about("urn:ann", "married to Bo")));
	for (const [hidden, said] of [
		["100", "1000"],
		["1970-08-21", "1970-05-30"],
		["org", "https://schema.org/Person"],
		["1", "https://e.example/0.1/Person"],
		["zork-4711", "zork"],
		["", "anything"],
		["urn:bo", "Bo"],
	] as const)
		assert.ok(!repeats(hidden, about("urn:bo", said)), `${hidden} not in ${said}`);
	assert.ok(!repeats("urn:bo", about("urn:cy", "urn:bo")));
});

test("a question reads the configuration once, and the next question sees changes", (t) => {
	let hidden = "";
	const read = t.mock.fn(() => [{ root: "/notes", rules: [{ paths: [hidden] }] }]);
	const policies = createPolicies(read);
	for (const [at, name] of ["a.md", "b.md"].entries()) {
		hidden = name;
		policies.read("chat");
		const hides = ["a.md", "b.md"].filter((each) => policies.last("chat")?.hides(uriOf(each)));
		assert.deepEqual([hides, read.mock.callCount()], [[name], at + 1]);
	}
});

const FILES = {
	"hr/plan.md": "# Plan\n\nTwo keepers are to be hired.\n",
	"notes.md": "# Notes\n\nOil for the lamp.\n",
	"crew.ttl": '<urn:bea> <https://example.org/salary> "5" .\n',
};
const HR_RULES = "[{deny: {paths: [hr/]}, channels: [cli]}, {deny: {properties: [salary]}, channels: [cli]}]";
const HR = `exclude: [.copilot-ld/]\npolicy: ${HR_RULES}\n`;
const WORKSPACE = "file:///rock";

type Said = { readonly engine?: "model" | "cli"; readonly attachments?: readonly string[] };

async function open(t: TestContext, config: string) {
	const opened = await openPolicy(t, config, FILES);
	const { sessions, memory, workspace } = opened;
	const retrieved = (path: string, isAll = true): AgentEvent => {
		const place = { id: "1", uri: workspace.uri(path), path, lines: { start: 1, end: 1 } };
		return { kind: "retrieved", isAll, hits: [{ ...place, title: "", text: "", score: 1, why: {} }] };
	};
	const say = (id: string, turns: readonly (readonly AgentEvent[])[], said: Said = {}) => {
		const { engine = "model", attachments = [] } = said;
		const at = Date.now();
		const text = `Where are the lanterns of ${id}?`;
		const entries = turns.flatMap((events, turn): JournalEntry[] => [
			{ kind: "question", at, turn, text, attachments },
			...events.map((event): JournalEntry => ({ kind: "event", at, turn, event })),
			{ kind: "answer", at, turn, text: "The lanterns are in the shed.", outcome: "done" },
		]);
		const begun = { kind: "session", at, engine, workspace: WORKSPACE } as const;
		return sessions.append(id, [begun, ...entries], never);
	};
	const recalled = async (channel: Channel) => {
		const query = { query: "lanterns in the shed", workspace: WORKSPACE, limit: 30, channel };
		const found = await memory.recall(query, never);
		return found.map(({ session, text }) => (session ? `${session.id} ${session.turn}` : text)).sort();
	};
	return { ...opened, retrieved, say, recalled };
}

function toolRun(name: string): AgentEvent {
	return { kind: "toolFinished", call: { id: "1", name, input: {} }, ok: true, text: "Two keepers." };
}

test("a channel recalls a turn only if the channel may see everything that the turn may contain", async (t) => {
	const { say, recalled, retrieved, workspace } = await open(t, HR);
	await say("hidden", [[retrieved("hr/plan.md")]]);
	await say("seen", [[retrieved("notes.md")]]);
	await say("after", [[retrieved("notes.md")], [retrieved("hr/plan.md")], [retrieved("notes.md")]]);
	await say("graph", [[]]);
	await say("listing", [[retrieved("notes.md", false)]]);
	await say("tool", [[retrieved("notes.md"), toolRun("copilot-ld_query_graph")]]);
	await say("file", [[retrieved("notes.md")]], { attachments: ["plan.md"] });
	await say("cli", [[retrieved("notes.md")]], { engine: "cli" });
	await say("crew", [[retrieved("crew.ttl")]]);
	await say("gone", [[retrieved("gone.md")]]);
	assert.deepEqual(await recalled("cli"), ["after 0", "seen 0"]);
	const all = "after 0|after 1|after 2|cli 0|crew 0|file 0|gone 0|graph 0|hidden 0|listing 0|seen 0|tool 0";
	assert.deepEqual(await recalled("chat"), listed(all));
	await workspace.write({ [CONFIG]: "policy: [{deny: {paths: [hr/]}}]" });
	assert.deepEqual(await recalled("chat"), ["after 0", "crew 0", "seen 0"]);
	await workspace.write({ [CONFIG]: "Policy: [{deny: {paths: [hr/]}}]" });
	assert.deepEqual(await recalled("chat"), []);
});

test("a turn under an equal policy is recalled, unless the turn could read files in other ways", async (t) => {
	const { say, recalled, retrieved, workspace } = await open(t, "policy: [{deny: {paths: [hr/]}}]");
	await say("graph", [[]]);
	await say("tool", [[retrieved("notes.md", false), toolRun("copilot-ld_query_graph")]]);
	await say("shell", [[retrieved("notes.md"), toolRun("run_in_terminal")]]);
	await say("cli", [[]], { engine: "cli" });
	for (const channel of ["chat", "tools", "cli", "mcp"] as const)
		assert.deepEqual(await recalled(channel), ["graph 0", "tool 0"], channel);
	const more = "policy: [{deny: {paths: [hr/]}}, {deny: {paths: [notes.md]}, channels: [mcp]}]";
	await workspace.write({ [CONFIG]: more });
	assert.deepEqual([await recalled("mcp"), await recalled("cli")], [[], ["graph 0", "tool 0"]]);
});

test("a policy hides facts that a model remembered, but not facts that the user stated", async (t) => {
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
