import * as vscode from "vscode";
import { quoteMarkdown } from "../../base/text/visibleText.ts";
import type { Fact, FactScope, Memory, NewFact } from "../../core/session/memory.ts";
import { workspaceUri } from "../folders.ts";
import type { Answer } from "../turn/turnRecord.ts";
import { trustedLink } from "./answerFooter.ts";

export const answerRemember: Answer<Memory> = async (memory, { prompt, session, stream }, signal) => {
	if (prompt === "") {
		const facts = await memory.facts({ workspace: workspaceUri(), session }, signal);
		stream.markdown(facts.length > 0 ? vscode.l10n.t("Remembered:") : NOTHING);
		for (const fact of facts) showFact(fact, stream);
		return;
	}
	const { fact, isNew, contradicts } = await memory.remember(toFact(prompt, session), signal);
	stream.markdown(
		isNew ? vscode.l10n.t("Remembered {0}:", holderOf(fact)) : vscode.l10n.t("This is already remembered:"),
	);
	showFact(fact, stream);
	if (contradicts.length === 0) return;
	stream.markdown(`\n\n${vscode.l10n.t("This seems to contradict it. Forget what is no longer true:")}`);
	for (const other of contradicts) showFact(other, stream);
};

const NOTHING = vscode.l10n.t(
	"Nothing is remembered yet. Write `/remember` followed by a sentence. Start it with `user:` if it applies in every workspace.",
);

/** Parses a fact, which may begin with its scope: `user: I prefer short answers`. */
function toFact(prompt: string, session: string): NewFact {
	const { scope: named, text = "" } =
		/^(?:(?<scope>session|workspace|user):)?\s*(?<text>.*)$/is.exec(prompt)?.groups ?? {};
	const scope = (named?.toLowerCase() ?? (workspaceUri() ? "workspace" : "user")) as FactScope;
	const owner = { session: { owner: session }, workspace: { owner: workspaceUri() }, user: {} }[scope];
	return { text, scope, ...owner, source: { by: "person", session } };
}

function showFact(fact: Fact, stream: vscode.ChatResponseStream): void {
	const when = new Date(fact.createdAt).toLocaleDateString(vscode.env.language);
	const by = fact.source.by === "model" ? [vscode.l10n.t("by a tool call")] : [];
	stream.markdown(`\n\n${quoteMarkdown(fact.text)}\n\n*${[holderOf(fact), when, ...by].join(", ")}*\n\n`);
	stream.markdown(
		trustedLink({ command: "copilot-ld.forgetFact", title: vscode.l10n.t("Forget"), arguments: [fact.id] }),
	);
}

function holderOf({ scope }: Fact): string {
	return {
		session: vscode.l10n.t("for this session"),
		workspace: vscode.l10n.t("for this workspace"),
		user: vscode.l10n.t("for you, in every workspace"),
	}[scope];
}

/** Forgets a fact. Without an ID, opens the Sessions view, where facts can be forgotten. */
export async function forgetFact(memory: Memory, id: unknown): Promise<void> {
	if (typeof id !== "string") return vscode.commands.executeCommand("copilot-ld.showSessions");
	await memory.forget(id, new AbortController().signal);
	void vscode.window.showInformationMessage(vscode.l10n.t("Copilot-LD: the fact was forgotten."));
}
