import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { appendFile, cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import { folderLoads } from "../src/acp/loads/preflight.ts";
import type { PluginDefinition } from "../src/core/plugin/plugin.ts";
import type { Person } from "../src/core/session/memory.ts";
import { settings } from "../src/core/settings.ts";
import { findAgain } from "../src/evidence/fingerprint.ts";
import { managedRulesOf } from "../src/permissions/managedRules.ts";
import { readSettingsCopy } from "../src/permissions/openPermissions.ts";
import { createPluginConsents } from "../src/permissions/records/pluginConsents.ts";
import { openStore } from "../src/store/openStore.ts";
import { createCliSessionMap } from "../src/vscode/cli/cliState.ts";
import { createSavedModels } from "../src/vscode/models/savedModels.ts";
import { MOVED } from "../src/vscode/settings.ts";
import { createReadersNote } from "../src/worker/indexing/indexer.ts";
import { createPluginFiles } from "../src/worker/plugins/pluginFiles.ts";
import { permissionsIn } from "./permissions/judging.ts";
import { makeHome, never, openIn } from "./sessions/temporarySessions.ts";
import { ANNA } from "./sessions/turns.ts";
import { assertMapped } from "./support/assertMapped.ts";
import { memento } from "./support/memento.ts";

// Files written by four released versions; in this order: the first, with messages, with compact passages, complete.
const FIRST = "test/fixtures/formats/1";
const ADDRESSED = "test/fixtures/formats/2";
const COMPACT = "test/fixtures/formats/3";
const WHOLE = "test/fixtures/formats/4";
const WORKSPACE = "file:///projects/atlas";

async function copyOf(t: TestContext, part: string, version = FIRST): Promise<string> {
	const folder = await makeHome(t);
	await cp(join(version, part), folder, { recursive: true });
	return folder;
}

async function jsonOf(name: string, version = FIRST) {
	return JSON.parse(await readFile(join(version, name), "utf8"));
}

const consentIn = (folder: string, plugin: object) =>
	createPluginConsents({ folder, workspaceUri: () => WORKSPACE }).consentStateOf(plugin as PluginDefinition);

async function openIndex(t: TestContext, folder: string, embedder: { id: string; dimensions: number }) {
	const store = await openStore({ folder: join(folder, "index"), embedder });
	t.after(() => store.close());
	return store;
}

async function firstMatch(store: Awaited<ReturnType<typeof openIndex>>, words: string) {
	const { matches } = await store.matchText(words, { limit: 1 });
	return (await store.read(matches.map(({ row }) => row))).values().next().value;
}

test("sessions of a released version are read with all turns, including deleted sessions and sessions of chains", async (t) => {
	const { sessions } = openIn(t, await copyOf(t, "sessions"));
	const { session, turns, instructions, summary } = await sessions.read("clock", never);
	assert.deepEqual([session.title, session.turns, session.tokens], ["The clock", 2, 15]);
	assert.equal(instructions, "Give lengths in fathoms.");
	assert.deepEqual(summary, { turns: 1, text: "They spoke of the clock.", of: "abc" });
	const [first, second] = turns;
	assert.deepEqual(
		[first?.question, first?.command, first?.attachments, first?.answer, first?.outcome],
		["Who winds the clock?", "search", ["clock.md"], "The second keeper [orders.md:3-4].", "done"],
	);
	const kinds = first?.events.map(({ kind }) => kind);
	assert.deepEqual(kinds, ["toolStarted", "toolFinished", "citation", "notice"]);
	assert.deepEqual(first?.spans?.[0]?.lines, { start: 3, end: 4 });
	assert.deepEqual([second?.outcome, second?.error], ["failed", "The model is gone."]);
	const { sessions: steps } = await sessions.list({ steps: true, limit: 9 }, never);
	assertMapped(steps, ({ id, partOf }) => [id, partOf], [["step", { session: "clock", step: "build" }]]);
	assert.equal((await sessions.search({ text: "winds the clock", limit: 1 }, never))[0]?.session.id, "clock");
	await sessions.restore("bin", never);
	assert.equal((await sessions.read("bin", never)).turns[0]?.question, "Deleted?");
});

test("messages of a released version are read with the sender and receiver: user, model or plugin", async (t) => {
	const { sessions } = openIn(t, await copyOf(t, "sessions", ADDRESSED));
	const [turn] = (await sessions.read("lights", never)).turns;
	assert.deepEqual([turn?.question, turn?.outcome, turn?.tokens], ["Who keeps Skagen?", "done", 15]);
	const told = turn?.messages?.map((one) => `${one.sender.id} ${one.receiver.id} ${one.contentType}`);
	assert.deepEqual(told, [
		...["user model text/plain", "model lights command", "keeper search_knowledge command"],
		...["search_knowledge keeper command", "lights model command", "model user text/markdown"],
	]);
	assert.equal(new Set(turn?.messages?.map(({ thread }) => thread)).size, 3);
});

test("facts of a released version have the last edit, and forgotten facts stay forgotten", async (t) => {
	const home = await copyOf(t, "sessions");
	const { memory } = openIn(t, home);
	const facts = await memory.facts({ workspace: WORKSPACE, session: "clock" }, never);
	assert.deepEqual(facts.map(({ text, scope, person }) => [text, scope, person]).sort(), [
		["I like short answers.", "user", ANNA],
		["The lamp burns whale oil.", "workspace", ANNA],
	]);
	const other: Person = { ...ANNA, id: "berit" };
	const others = openIn(t, home, { reader: [other] }).memory;
	assert.deepEqual(await others.facts({ workspace: WORKSPACE }, never), []);
});

test("rules, logged decisions, copied settings and plugin consents of a released version remain valid", async (t) => {
	const folder = await copyOf(t, "permissions");
	const permissions = permissionsIn(folder);
	const rules = (await permissions.rules()).map(({ rule: { id: _, createdAt: __, ...rule } }) => rule);
	const [origin, argument] = ["person", { kind: "path", value: "/projects/atlas/**" }];
	assert.deepEqual(rules, [
		{ effect: "deny", scope: "always", argument: { kind: "command", value: "git push" }, origin },
		{
			effect: "allow",
			scope: "workspace",
			owner: WORKSPACE,
			channel: "cli",
			tool: "read*",
			argument,
			origin,
		},
	]);
	const [decision] = await permissions.decisions({ limit: 9 });
	assert.deepEqual([decision?.effect, decision?.by, decision?.request.agent], ["deny", "rule", "reviewer"]);
	if (decision) assert.equal((await permissions.verdictFor(decision.request)).effect, "deny");
	assert.deepEqual(readSettingsCopy(folder, WORKSPACE), {
		...{ user: [{ effect: "deny", tool: "shell" }], workspace: [{ effect: "ask", door: "cli" }] },
		workspaceUri: WORKSPACE,
	});
	const uri = `${WORKSPACE}/.copilot-ld/plugins/tides/plugin.yaml`;
	const plugin = { instance: "main", fingerprint: "f00d", source: { uri, level: "workspace" } };
	assert.equal(await consentIn(folder, plugin), "agreed");
});

/** Appends a line of a future version; returns the new content. */
async function addLine(file: string, line: object): Promise<string> {
	await appendFile(file, `${JSON.stringify(line)}\n`);
	return readFile(file, "utf8");
}

test("consents and decisions of a newer version are preserved, but such a consent does not count", async (t) => {
	const folder = await copyOf(t, "permissions");
	const tomorrow = { at: 1, kind: "ofTomorrow", uri: "file:///x", fingerprint: "f00d" };
	const consentsBefore = await addLine(join(folder, "plugins.jsonl"), tomorrow);
	const auditBefore = await addLine(join(folder, "audit.jsonl"), tomorrow);
	const plugin = { instance: "main", fingerprint: "f00d", source: { uri: "file:///x", level: "workspace" } };
	assert.notEqual(await consentIn(folder, plugin).catch(() => "refused"), "agreed");
	await assert.doesNotReject(permissionsIn(folder).decisions({ limit: 9 }));
	assert.equal(await readFile(join(folder, "plugins.jsonl"), "utf8"), consentsBefore);
	assert.equal(await readFile(join(folder, "audit.jsonl"), "utf8"), auditBefore);
});

for (const version of [FIRST, COMPACT])
	test(`the index in ${version} is opened or emptied with a notice, and keeps the model's descriptions`, async (t) => {
		const folder = await copyOf(t, "data", version);
		const store = await openIndex(t, folder, { id: "tiny", dimensions: 2 });
		assert.equal((await store.descriptors()).get("h1")?.purpose, "Says who winds.");
		if (version === FIRST) assert.equal(typeof (await createReadersNote(folder).isCurrent()), "boolean");
		if (store.documents().size === 0) return assert.match(store.notices().join(), /older version/);
		assert.deepEqual([...store.documents().keys()], [`${WORKSPACE}/orders.md`]);
		const passage = await firstMatch(store, "winds");
		assert.equal(passage?.text, "The second keeper winds the clock.");
		assert.deepEqual(passage?.lines, { start: 3, end: 4 });
		assert.deepEqual(await store.folders(), [{ uri: WORKSPACE, name: "atlas" }]);
	});

test("an index written before the readers changed is searched unchanged", async (t) => {
	const folder = await copyOf(t, "data", WHOLE);
	const embedder = { id: "static-embedding-2-124965x256", dimensions: 256 };
	const store = await openIndex(t, folder, embedder);
	assert.equal(store.documents().size, 4);
	const passage = await firstMatch(store, "rings fog");
	assert.equal(passage?.title, "Keepers of the islands › Ringing the bell");
	assert.deepEqual(passage?.lines, { start: 13, end: 13 });
	assert.equal(passage?.text, "In fog the bell rings once a minute; nobody leaves it alone.");
});

test("sessions of chats, chains and clients of a released version are read with facts and cited lines", async (t) => {
	const { sessions, memory } = openIn(t, await copyOf(t, "sessions", WHOLE));
	const { sessions: listed } = await sessions.list({ limit: 9 }, never);
	const turnsOf = async (title: string) =>
		(await sessions.read(listed.find((one) => one.title.startsWith(title))?.id ?? "", never)).turns;
	const chat = await turnsOf("The watch");
	const outcomes = chat.map(({ answer, error }) => answer || error);
	const first = "The second keeper, each evening [keepers.md:5-13].";
	assert.deepEqual(outcomes, [first, "Twelve barrels [stores.csv:1-4].", "The model is gone."]);
	const fileOf = (path: string) => readFileSync(join(WHOLE, "workspace", path), "utf8");
	const cited = chat.flatMap(({ spans = [] }) => spans);
	const states = cited.map((span) => findAgain(span, fileOf(span.path)).kind);
	assert.deepEqual(states, ["same", "same"]);
	const [{ runs = [] } = {}] = await turnsOf("Write the log");
	const { session: step } = await sessions.read(runs[1]?.session ?? "", never);
	const ends = runs.map((run) => `${run.step} ${run.ended?.outcome}`);
	assert.deepEqual([...ends, step.partOf?.step], ["reader succeeded", "writer succeeded", "writer"]);
	assert.equal((await turnsOf("whale oil"))[0]?.command, "search_knowledge");
	assert.equal((await sessions.search({ text: "twelve barrels", limit: 1 }, never))[0]?.session.id, "chat");
	const facts = await memory.facts({ workspace: WORKSPACE, session: "chat" }, never);
	const texts = facts.map(({ text }) => text).sort();
	assert.deepEqual(texts, ["I like tables.", "The bell was mended.", "The log is kept in fathoms."]);
});

test("rules of a released version decide as before, and unchanged plugins and CLI files need no new consent", async (t) => {
	const [folder, work] = [await copyOf(t, "permissions", WHOLE), await copyOf(t, "workspace", WHOLE)];
	const managed = managedRulesOf(readSettingsCopy(folder, WORKSPACE));
	const permissions = permissionsIn(folder, managed.rules);
	assert.deepEqual([managed.problems, (await permissions.rules()).length], [[], 5]);
	const { "copilot-LD.permissions.rules": user } = await jsonOf("settings.json", WHOLE);
	assert.equal(managedRulesOf({ user, workspace: [], workspaceUri: "" }).problems.length, 0);
	const decisions = await permissions.decisions({ limit: 9 });
	const effects = decisions.map(async ({ request }) => (await permissions.verdictFor(request)).effect);
	assert.deepEqual(await Promise.all(effects), ["allow", "ask", "deny", "deny", "allow"]);
	const folders = [{ uri: pathToFileURL(work).href, name: "atlas" }];
	const files = createPluginFiles({ folders, home: folder });
	const [plugin] = (await files.registry(never)).plugins;
	assert.ok(plugin);
	const source = { uri: `${WORKSPACE}/.copilot-ld/plugins/tides/plugin.yaml`, level: "workspace" } as const;
	assert.equal(await consentIn(folder, { ...plugin, source }), "agreed");
	const { "cli.loads": loads } = await jsonOf("state.json", WHOLE);
	assert.equal((await folderLoads(work))?.fingerprint, loads["/projects/atlas"]);
});

/** Removed settings, which are ignored if users still have them. */
const RETIRED = ["copilot-ld.agent.rerank", "copilot-ld.agent.rerankTokens"];

/** Settings that the code reads although the manifest does not list them. */
const UNLISTED = /^copilot-ld\.search\./;

test("every setting of a released version exists and accepts the saved value", async () => {
	const written = await Promise.all([FIRST, WHOLE].map((version) => jsonOf("settings.json", version)));
	const shape: Readonly<Record<string, z.core.$ZodType>> = settings.shape;
	for (const [name, value] of written.flatMap((one) => Object.entries(one))) {
		if (RETIRED.includes(name) || UNLISTED.test(name)) continue;
		const bare = name.replace(/^copilot-ld\./, "");
		const [setting, member] = MOVED[bare] ?? [bare, undefined];
		const schema = shape[setting];
		assert.ok(schema, `${name} is gone: read the old name, too`);
		const given = member ? { [member]: value } : value;
		const equal = (member ?? setting.endsWith(".options")) ? "partialDeepStrictEqual" : "deepEqual";
		assert[equal](z.safeParse(schema, given).data, given, name);
	}
});

test("state that a released version saved in VS Code is found under the same keys", async () => {
	const state = memento();
	for (const [key, value] of Object.entries(await jsonOf("state.json"))) await state.update(key, value);
	assert.equal(createCliSessionMap(state).get("chat"), "cli-session");
	assert.equal(createSavedModels(state).find("http://localhost:11434/v1 llama3")?.contextTokens, 8192);
});
