import * as vscode from "vscode";
import { quoteMarkdown } from "../../base/markdown.ts";
import type { Fact, FactScope, Memory, NewFact } from "../../core/session/memory.ts";
import type { Sessions } from "../../core/session/session.ts";
import { workspaceUri } from "../folders.ts";

export interface SessionChatDeps {
	readonly sessions: Sessions;
	readonly memory: Memory;
}

/** `/remember`: keeps a fact and shows what was kept, or shows what is remembered. */
export async function answerRemember(
	{ memory }: Pick<SessionChatDeps, "memory">,
	request: { readonly prompt: string; readonly session: string; readonly stream: vscode.ChatResponseStream },
	signal: AbortSignal,
): Promise<void> {
	const { stream, session } = request;
	if (request.prompt.trim() === "") {
		showFacts(await memory.facts({ workspace: workspaceUri(), session }, signal), stream);
		return;
	}
	const { fact, isNew, contradicts } = await memory.remember(toFact(request.prompt, session), signal);
	stream.markdown(isNew ? `Remembered ${holderOf(fact)}:` : "That is remembered already:");
	showFact(fact, stream);
	if (contradicts.length === 0) return;
	stream.markdown("\n\nThis seems to disagree with it. Forget what is not true any more:");
	for (const other of contradicts) showFact(other, stream);
}

/** The scope may stand before the fact: `user: I prefer short answers`. */
function toFact(prompt: string, session: string): NewFact {
	const { scope: named, text = "" } =
		/^(?:(?<scope>session|workspace|user):)?\s*(?<text>.*)$/is.exec(prompt)?.groups ?? {};
	const scope = (named?.toLowerCase() ?? (workspaceUri() ? "workspace" : "user")) as FactScope;
	const owner = { session: { owner: session }, workspace: { owner: workspaceUri() }, user: {} }[scope];
	return { text, scope, ...owner, source: { by: "person", session } };
}

function showFacts(facts: readonly Fact[], stream: vscode.ChatResponseStream): void {
	if (facts.length === 0) {
		stream.markdown(
			"Nothing is remembered yet. Write `/remember` and a sentence; begin it with `user:` where it holds in every workspace.",
		);
		return;
	}
	stream.markdown("Remembered:");
	for (const fact of facts) showFact(fact, stream);
}

function showFact(fact: Fact, stream: vscode.ChatResponseStream): void {
	const when = new Date(fact.createdAt).toLocaleDateString();
	const by = fact.source.by === "model" ? ", by a tool call" : "";
	stream.markdown(`\n\n${quoteMarkdown(fact.text)}\n\n*${holderOf(fact)}, ${when}${by}*\n\n`);
	stream.button({ command: "copilot-ld.forgetFact", title: "Forget", arguments: [fact.id] });
}

function holderOf({ scope }: Fact): string {
	return {
		session: "for this session",
		workspace: "for this workspace",
		user: "for you, in every workspace",
	}[scope];
}

/** Forgets a fact; without an id, the person chooses one. */
export async function forgetFact(
	{ memory }: Pick<SessionChatDeps, "memory">,
	target: unknown,
): Promise<void> {
	const { signal } = new AbortController();
	const id = typeof target === "string" ? target : await chooseFact(memory, signal);
	if (id === undefined) return;
	await memory.forget(id, signal);
	void vscode.window.showInformationMessage("Copilot-LD: forgotten.");
}

async function chooseFact(memory: Memory, signal: AbortSignal): Promise<string | undefined> {
	const facts = await memory.facts({ workspace: workspaceUri() }, signal);
	const items = facts.map((fact) => ({ id: fact.id, label: fact.text, description: holderOf(fact) }));
	const placeHolder = items.length > 0 ? "Select a fact to forget" : "Nothing is remembered yet";
	return (await vscode.window.showQuickPick(items, { placeHolder }))?.id;
}
