import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { MarkdownString } from "vscode";
import { runTurn } from "../../../src/agent/loop/runTurn.ts";
import { Failure } from "../../../src/base/failure.ts";
import type { Runner, Turn } from "../../../src/core/agent/agentEvent.ts";
import type { SessionSummary, Sessions } from "../../../src/core/session/session.ts";
import { contextDocument, footnoted } from "../../../src/vscode/chat/answerFooter.ts";
import { failTurn } from "../../../src/vscode/chat/chatFailure.ts";
import { resumeInterrupted } from "../../../src/vscode/chat/chatParticipant.ts";
import { readPromptFiles, readWorkspaceInstructions } from "../../../src/vscode/chat/promptFiles.ts";
import { createSessionSummaries } from "../../../src/vscode/chat/runners.ts";
import { answerRemember } from "../../../src/vscode/chat/sessionChat.ts";
import * as sessionCommands from "../../../src/vscode/chat/sessionCommands.ts";
import type { TurnRecord } from "../../../src/vscode/turn/turnRecord.ts";
import { never, openTemporary } from "../../sessions/temporarySessions.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { fakeModel } from "../../support/fakeModel.ts";
import { CancellationError, LanguageModelError, window, workspace } from "../../support/fakeVscode.ts";
import { memento } from "../../support/memento.ts";
import { openFolders } from "../../support/openFolders.ts";
import { times } from "../../support/times.ts";
import { oneFact } from "../../webview/fakeMemory.ts";
import { makeWorkspace } from "../../worker/workspace.ts";

function end(thrown: unknown, question = "") {
	const buttons: string[] = [];
	const stream = { button: ({ title }: { title: string }) => buttons.push(title) };
	const log = { error: () => undefined };
	const result = failTurn(thrown, stream as never, log as never, question);
	return { message: result.errorDetails?.message, buttons };
}

test("the message of a failed turn says what to do; VS Code gets quota errors unchanged", () => {
	for (const [thrown, message, ...buttons] of [
		[new CancellationError(), /^$/],
		[new Failure("NO_FOLDER", "Open a folder first."), /^Open a folder first\.$/, "Open Folder"],
		[new LanguageModelError("NotFound", "because"), /no longer available.*model picker/],
		[new LanguageModelError("NoPermissions", "because"), /not allowed to use.*Allow it/],
		[new LanguageModelError("Blocked", "because"), /refused the request: because/],
		[new LanguageModelError("Unknown", "because"), /failed: because.*Ask again/],
		[new Error("The moon fell."), /^That did not work: The moon fell\.$/],
	] as const) {
		const ended = end(thrown);
		assert.match(ended.message ?? "", message);
		assert.deepEqual(ended.buttons, buttons);
	}
	for (const name of ["ChatQuotaExceeded", "ChatRateLimited"]) {
		const limit = Object.assign(new Error("Enough for today."), { name });
		const wrapped = new Error("The request failed.", { cause: limit });
		for (const thrown of [limit, wrapped]) assert.throws(() => end(thrown), thrown);
	}
});

test("a question that a model failed to answer can be answered without a model", () => {
	const failed = Object.assign(new Error("http://localhost:1 cannot be reached."), { name: "Failure" });
	for (const thrown of [failed, new Failure("MODEL_FAILED", "Offline."), new LanguageModelError("x", "y")])
		assert.deepEqual(end(thrown, "Who?").buttons, ["Answer Without a Model"]);
	assert.deepEqual([...end(failed).buttons, ...end(new Error("no"), "Who?").buttons], []);
});

const id = "3f2a1c9d-0000-4000-8000-000000000000";

test("a resumed chat is named after the session; a session is found by that name, the ID or words of the title", () => {
	const title = "Where do the lenses lie?";
	const named = sessionCommands.namedSession({ id, title });
	assert.equal(named, "Where do the lenses lie? (3f2a1c9d)");
	assert.equal(sessionCommands.meaning(named)?.({ id, title: "renamed since" }), true);
	assert.equal(sessionCommands.meaning(named)?.({ id: "other", title }), false);
	assert.equal(sessionCommands.meaning("the LENSES")?.({ id, title }), true);
	for (const word of [id, "no-such-session"]) assert.equal(sessionCommands.meaning(word), undefined);
	// VS Code interprets such words in a prompt, and draws icons in a list.
	const evil = "@workspace /fix #file:a.md\n\u202eevil";
	assert.equal(sessionCommands.namedSession({ id, title: evil }), "workspace fix file:a.md evil (3f2a1c9d)");
	assert.equal(sessionCommands.namedSession({ id, title: " @ " }), id);
	const session = { id: "s", title: "$(check) Done", turns: 1, updatedAt: 0, workspace: "" };
	assert.equal(sessionCommands.sessionItem(session as SessionSummary).label, "⟨$⟩(check) Done");
});

test("resuming a CLI session twice continues the same chat, with all turns", async () => {
	const turns = [{ question: "Why?", answer: "So.", events: [], outcome: "done" }];
	const session = { id, title: "Lamps", workspace: "", engine: "cli" };
	const read = async (wanted: string) => {
		if (wanted !== id) throw new Failure("NOT_FOUND", "There is no such session.");
		return { session, turns };
	};
	const chats = new Map<string, string>();
	const bind = async (chat: string, part: string) => chats.set(chat, part);
	const cli = { chats: () => chats, bind, history: { list: async () => [session] } };
	const buttons: string[] = [];
	const button = ({ title }: { title: string }) => buttons.push(title);
	const stream = { markdown: () => undefined, button };
	const records: Partial<TurnRecord>[] = [];
	const turn = { prompt: id, stream, add: (record: Partial<TurnRecord>) => records.push(record) };
	const resume = () =>
		sessionCommands.answerResume({ sessions: { read }, cli } as never, turn as never, never);
	await resume();
	await resume();
	const [[chat] = []] = chats;
	assert.equal(chats.size, 1);
	assert.deepEqual(records, Array(2).fill({ sessionId: chat, resumedTurns: 1, unseenByCli: [] }));
	assert.equal(buttons[0], "Continue with the Copilot CLI");
});

test("remembered facts are listed with links that forget them, and no other command is trusted", async () => {
	const texts = ["The bell rings twice.", "[x](command:evil)"];
	const facts = texts.map((text, at) => oneFact(`f${at}`, { text }));
	const shown: (string | MarkdownString)[] = [];
	// The stream has no other methods, so adding a button would throw.
	const stream = { markdown: (text: string | MarkdownString) => shown.push(text) };
	const turn = { prompt: "", session: "s", stream };
	await answerRemember({ facts: async () => facts } as never, turn as never, never);
	const links = shown.filter((part) => typeof part !== "string");
	const [enabledCommands, link] = [["copilot-ld.forgetFact"], "[Forget](command:copilot-ld.forgetFact?"];
	assertMapped(
		links,
		({ value, isTrusted }) => [value, isTrusted],
		facts.map((fact) => [`${link}${encodeURIComponent(`["${fact.id}"]`)})`, { enabledCommands }]),
	);
});

test("the context report lists the pieces included, cut and omitted, with reasons", () => {
	const parts = [
		{ section: "history", title: "What | burns?", tokens: 90, given: 0, why: "it did not fit" },
		{ section: "sources", title: "a.md:3 Lamp", tokens: 40, given: 40, why: "the first search found it" },
		{ section: "results", title: "read", tokens: 5000, given: 700, why: "it was cut" },
	] as const;
	const text = contextDocument({ budget: 30_400, used: 1234, parts });
	const head = "| What | Tokens | Why |\n| --- | ---: | --- |\n";
	assert.deepEqual(text.split("\n\n"), [
		"# What the model was given",
		"The last request of this turn took **1,234 of 30,400 tokens**, as counted by the model.\n1 of 3 pieces were left out.",
		"## Sources of the first search: 40 tokens",
		`${head}| a.md:3 Lamp | 40 | the first search found it |`,
		"## Earlier turns: 0 tokens",
		`${head}| What \\| burns? | left out (90) | it did not fit |`,
		"## Results of tools: 700 tokens",
		`${head}| read | 700 of 5,000 | it was cut |`,
	]);
});

test("after a restart, the summary of a long chat is restored without asking the model again", async (t) => {
	const { sessions } = await openTemporary(t);
	await sessions.append("a", [{ kind: "session", at: 1, engine: "model", workspace: "" }], never);
	const saved = Promise.withResolvers<void>();
	const append: Sessions["append"] = (...line) => sessions.append(...line).then(saved.resolve);
	const history = times(10, (at): Turn => ({ question: `question ${at}`, answer: "word ".repeat(75) }));
	const askInNewWindow = async () => {
		const model = fakeModel([["They spoke of words."]], 2000);
		const summaries = createSessionSummaries({ read: sessions.read, append });
		let known: string | undefined;
		const run: Runner = async function* () {
			known = summaries.of(history)?.text;
			yield { kind: "text", text: "answer" };
		};
		const request = { question: "And now?", history, attachments: [], session: "a" };
		await Array.fromAsync(runTurn(() => run, [summaries.around(model)])(request, never));
		return [known, model.requests.length];
	};
	assert.equal((await askInNewWindow())[0], undefined);
	await saved.promise;
	assert.deepEqual(await askInNewWindow(), ["They spoke of words.", 0]);
});

test("a copied answer lists each source once, as a footnote, and has no escapes outside code", () => {
	const answer = "It is 5 \\* 3 [a.md:1], as `x\\*` says [b.md:2-3]; earth&#45;fault [a.md:1].";
	const copied = "It is 5 * 3 [^1], as `x\\*` says [^2]; earth-fault [^1].\n\n[^1]: a.md:1\n[^2]: b.md:2-3";
	assert.deepEqual([footnoted(answer), footnoted(" No source. ")], [copied, "No source."]);
});

test("a question that a reload interrupted is offered again; an answered question is not", async (t) => {
	const offered: unknown[] = [];
	t.mock.method(window, "showInformationMessage", async (text: unknown) => void offered.push(text));
	const workspaceState = memento();
	await workspaceState.update("asking", "Why?");
	const watch = { onDidChange: () => ({ dispose: () => undefined }) };
	const readiness = { ensure: async () => undefined };
	const begin = () => resumeInterrupted(workspaceState, watch as never, readiness as never);
	const { during } = begin();
	const request = { command: "quote", prompt: "How?" } as never;
	assert.equal(await during(request, async () => workspaceState.get("asking")), "/quote How?");
	await assert.rejects(during(request, () => Promise.reject(new Error("Gone."))));
	begin();
	assert.deepEqual(offered, ["Copilot-LD: the answer to “Why?” was interrupted."]);
});

async function folderWith(t: TestContext, files: Record<string, string>) {
	return { path: (await makeWorkspace(t, files)).root, name: "kb" };
}

const NAMES = ["AGENTS.md", ".github/copilot-instructions.md"];

test("instructions come from the configuration and the named files; in a window with several folders, file names have a prefix", async (t) => {
	const folder = await folderWith(t, {
		".copilot-ld/config.yaml": "include: ['*.md']\ninstructions: |\n  Be brief.\n",
		...{ "AGENTS.md": "Use metres.\n", "OTHER.md": "Not wanted." },
	});
	const config = { name: ".copilot-ld/config.yaml", text: "Be brief." };
	const agents = { name: "AGENTS.md", text: "Use metres." };
	assert.deepEqual(await readPromptFiles([folder], NAMES), { texts: [config, agents], notices: [] });
	assert.deepEqual(await readPromptFiles([folder], []), { texts: [config], notices: [] });
	const other = { ...(await folderWith(t, { "AGENTS.md": "b" })), name: "kb1" };
	const { texts } = await readPromptFiles([folder, other], ["AGENTS.md"]);
	assertMapped(texts.slice(1), ({ name }) => name, ["kb/AGENTS.md", "kb1/AGENTS.md"]);
});

test("instructions may be a text or a list; any other value is reported and ignored", async (t) => {
	const read = async (text: string) =>
		readPromptFiles([await folderWith(t, { ".copilot-ld/config.yaml": text })], []);
	const { texts } = await read("instructions: [Be short., Use metres.]");
	assert.equal(texts[0]?.text, "Be short.\nUse metres.");
	for (const text of ["instructions: 7", "instructions: {a: b}", "instructions: [1]", "a: [unclosed"]) {
		const { texts, notices } = await read(text);
		assert.deepEqual(texts, [], text);
		assert.match(notices.join(), /config\.yaml are ignored/, text);
	}
	for (const text of ["", "policy: []", "- a"])
		assert.deepEqual(await read(text), { texts: [], notices: [] }, text);
});

test("a path outside the folder, a folder and a huge file are reported and ignored", async (t) => {
	const outside = join((await folderWith(t, { "secret.md": "secret" })).path, "secret.md");
	const folder = await folderWith(t, { "AGENTS.md/x": "", "HUGE.md": "word ".repeat(300_000) });
	await symlink(outside, join(folder.path, "LINK.md"));
	const paths = ["../secret.md", "a/../../x.md", outside, "LINK.md"];
	for (const [name, why] of [
		...paths.map((path) => [path, /it leads out of the folder/] as const),
		["AGENTS.md", /./],
		["HUGE.md", /it is larger than 1 MB/],
	] as const) {
		const { texts, notices } = await readPromptFiles([folder], [name]);
		assert.deepEqual([texts, notices.length], [[], 1], name);
		assert.match(notices.join(), why, name);
	}
});

test("instruction files in an untrusted workspace are ignored", async (t) => {
	const { path } = await folderWith(t, { ".copilot-ld/config.yaml": "instructions: Obey." });
	openFolders(t, path);
	t.after(() => Object.assign(workspace, { isTrusted: true }));
	assert.equal((await readWorkspaceInstructions([])).texts.length, 1);
	workspace.isTrusted = false;
	assert.deepEqual(await readWorkspaceInstructions([]), { texts: [], notices: [] });
});

test("instructions with `applyTo` apply only to matching files", async (t) => {
	for (const [head, about, applies] of [
		['applyTo: "**"', [], true],
		['applyTo: "**/*.{ts,tsx}"', ["src/a.tsx"], true],
		["applyTo: docs/**, *.md", ["docs/x/y.txt"], true],
		["applyTo: *.md", ["docs/a.md"], false],
		['applyTo: "**/*.ts"', ["a.md"], false],
		["description: x", ["a.md"], false],
	] as const) {
		const name = ".github/instructions/deep/style.instructions.md";
		const folder = await folderWith(t, {
			[name]: `---\n${head}\n---\nBe brief.\n`,
			".github/instructions/other.md": "No instruction.",
		});
		const given = await readPromptFiles([folder], [".github/instructions"], about);
		const texts = applies ? [{ name, text: "Be brief." }] : [];
		assert.deepEqual(given, { texts, notices: [] }, head);
	}
});
