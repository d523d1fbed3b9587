import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatResponseStream, MarkdownString } from "vscode";
import type { Fact, Memory } from "../../../src/core/session/memory.ts";
import type { SessionSummary } from "../../../src/core/session/session.ts";
import { sessionItem } from "../../../src/vscode/chat/sessionBin.ts";
import { answerRemember, forgetFact } from "../../../src/vscode/chat/sessionChat.ts";
import type { ChatTurn } from "../../../src/vscode/turn/turnRecord.ts";
import { window } from "../../support/fakeVscode.ts";

const facts = ["The bell rings twice.", "[x](command:evil)"].map(
	(text, at): Fact => ({ id: `f${at}`, text, scope: "user", createdAt: 0, source: { by: "person" } }) as Fact,
);

test("what is remembered is listed without buttons, above which VS Code would fold it away; only our link is trusted", async () => {
	const shown: (string | MarkdownString)[] = [];
	// Whatever else it wrote would not be there to be called.
	const stream = { markdown: (text: string | MarkdownString) => shown.push(text) };
	await answerRemember(
		{ facts: async () => facts } as unknown as Memory,
		{
			prompt: "",
			session: "s",
			stream: stream as unknown as ChatResponseStream,
		} as Partial<ChatTurn> as ChatTurn,
		new AbortController().signal,
	);
	const links = shown.filter((part) => typeof part !== "string");
	assert.deepEqual(
		links.map(({ value, isTrusted }) => [value, isTrusted]),
		["f0", "f1"].map((id) => [
			`[Forget](command:copilot-ld.forgetFact?${encodeURIComponent(`["${id}"]`)})`,
			{ enabledCommands: ["copilot-ld.forgetFact"] },
		]),
	);
});

const { showQuickPick } = window;

test("no icon is drawn in a list of facts or sessions because a text says so", async (t) => {
	t.after(() => Object.assign(window, { showQuickPick }));
	const labels: string[] = [];
	window.showQuickPick = async (items) =>
		void labels.push(...(items as { label: string }[]).map(({ label }) => label));
	const fact = { ...facts[0], text: "$(error) It failed." } as Fact;
	await forgetFact({ facts: async () => [fact] } as unknown as Memory, undefined);
	const session = { id: "s", title: "$(check) Done", turns: 1, updatedAt: 0, workspace: "" };
	labels.push(sessionItem(session as SessionSummary).label);
	assert.deepEqual(labels, ["⟨$⟩(error) It failed.", "⟨$⟩(check) Done"]);
});
