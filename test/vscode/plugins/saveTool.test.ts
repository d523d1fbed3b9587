import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Sessions, TranscriptTurn } from "../../../src/core/session/session.ts";
import { readManifest } from "../../../src/plugins/manifest/readManifest.ts";
import { canBeTool, writeFooter } from "../../../src/vscode/chat/answerFooter.ts";
import { saveAsTool } from "../../../src/vscode/plugins/saveTool.ts";
import { window } from "../../support/fakeVscode.ts";
import { openFolders } from "../../support/openFolders.ts";
import { makeWorkspace } from "../../worker/workspace.ts";

const QUERY = 'PREFIX s: <https://schema.org/>\nSELECT ?who { ?who s:name "Anna Holm" }';

function turn(question: string, answer: string, command?: string): TranscriptTurn {
	const rest = { attachments: [], events: [], tokens: 0, ...(command !== undefined && { command }) };
	return { turn: 0, at: 1, question, answer, ...rest };
}

function sessionsOf(...turns: TranscriptTurn[]): Sessions {
	const list = async () => ({ sessions: [{ id: "s" }], total: 1 });
	return { list, read: async () => ({ turns }) } as unknown as Sessions;
}

function choose(typed: readonly string[]): unknown[] {
	const refused: unknown[] = [];
	window.showQuickPick = async (items) => (items as { picked: boolean }[]).filter(({ picked }) => picked);
	const left = [...typed];
	window.showInputBox = async ({ value = "", validateInput }) => {
		const said = left.map((words) => words || value);
		const good = said.findIndex((words) => validateInput(words) === undefined);
		refused.push(...said.slice(0, good).map((words) => validateInput(words)));
		left.splice(0, good + 1);
		return said[good];
	};
	return refused;
}

test("the last answer of /graph becomes a plugin that can be read, under a name that is free", async (t) => {
	const { path, root } = await makeWorkspace(t, { ".copilot-ld/plugins/taken/plugin.yaml": "" });
	openFolders(t, root);
	const answer = `\`\`\`sparql\n${QUERY}\n\`\`\`\n\n1 row, all there is.`;
	const sessions = sessionsOf(turn("Who is Anna?", answer, "graph"), turn("rm", "done", "cli"));
	const refused = choose(["", "../evil", "Upper", "taken", "who-is", ""]);
	await saveAsTool(sessions, undefined);
	const unfit = "Use 1 to 32 lower-case letters, digits and hyphens, a letter first.";
	assert.deepEqual(refused, [unfit, unfit, "There is a tool with this name."]);
	const text = await readFile(path(".copilot-ld/plugins/who-is/plugin.yaml"), "utf8");
	const { manifest, problems } = readManifest(text, { uri: "file:///p", name: "who-is" });
	assert.deepEqual(problems, []);
	const [command] = manifest?.commands ?? [];
	assert.deepEqual(command?.executor, { kind: "sparql", query: QUERY.replace('"Anna Holm"', "$name") });
	assert.deepEqual([manifest?.title, command?.description], ["Who is Anna?", "Who is Anna?"]);
});

test("a link under an answer saves that very answer, and what cannot be asked again is refused in words", async (t) => {
	const { path, root } = await makeWorkspace(t);
	openFolders(t, root);
	choose(["topic: string = What it is about", "lamps", "Finds lamps."]);
	await saveAsTool(sessionsOf(), turn("lamp of Skagen", "", "search"));
	const text = await readFile(path(".copilot-ld/plugins/lamps/plugin.yaml"), "utf8");
	assert.match(text, /topic:\s+type: string\s+description: What it is about[\s\S]* {4}search: "\{\{topic\}/);
	const unasked = saveAsTool(sessionsOf(), turn("rm", "done", "cli"));
	await assert.rejects(unasked, /Ask @copilot-ld a question first/);
	openFolders(t);
	await assert.rejects(saveAsTool(sessionsOf(), undefined), /Open a folder first/);
});

test("the link stands under an answer of a query, of a search and with citations, and names that answer", () => {
	const under = (has: { readonly hasQuery?: boolean; readonly canBeTool?: boolean }) => {
		const written: string[] = [];
		const stream = {
			markdown: (words: string | { readonly value: string }) =>
				void written.push(typeof words === "string" ? words : words.value),
		} as unknown as Parameters<typeof writeFooter>[0];
		const turn = { session: "s", at: 7 };
		const facts = { hasContext: false, hasCitations: false, hasQuery: false, canBeTool: false };
		writeFooter(stream, NO_FINDINGS, { turn, results: [], ...facts, ...has });
		return decodeURIComponent(written.join(""));
	};
	for (const has of [{ hasQuery: true }, { canBeTool: true }])
		assert.ok(under(has).includes('copilot-ld.moreOfAnswer?["s",7,"copilot-ld.saveAsTool"]'));
	assert.doesNotMatch(under({}), /moreOfAnswer/);
});

test("what found or cited something can be a tool: a search and a question, and no other command", () => {
	const cited = ["a.md:1"];
	const commands = [undefined, "search", "graph", "quote", "cli", "agents", "index"];
	const kept = commands.filter((command) => canBeTool(command, cited));
	assert.deepEqual(kept, [undefined, "search"]);
	assert.deepEqual([canBeTool(undefined, []), canBeTool("search", [])], [false, false]);
});

const NO_FINDINGS = { summary: "", warnings: [], spans: [] };
