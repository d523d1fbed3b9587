import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { escapeMarkdown, quoteMarkdown } from "../../base/markdown.ts";
import type { Fact, FactScope, Memory, NewFact } from "../../core/session/memory.ts";
import type { SessionSummary, Sessions, Transcript } from "../../core/session/session.ts";
import type { CliLink } from "../cli/cliLink.ts";
import { workspaceUri } from "../folders.ts";
import type { TurnRecord } from "../turn/turnRecord.ts";

/** Sessions that `/resume` offers. */
const OFFERED = 10;
/** Characters of the last answer that are shown again. */
const SHOWN = 500;

export interface SessionChatDeps {
	readonly sessions: Sessions;
	readonly memory: Memory;
}

/** `/resume`: goes on with a session by its id, or offers the last ones. Returns what the record holds of it. */
export async function answerResume(
	{ sessions }: SessionChatDeps,
	{ prompt, stream }: { readonly prompt: string; readonly stream: vscode.ChatResponseStream },
	signal: AbortSignal,
): Promise<Partial<TurnRecord>> {
	const id = prompt.trim();
	if (id === "") {
		const { sessions: last, total } = await sessions.list({ limit: OFFERED }, signal);
		offer(last, total, stream);
		return {};
	}
	const transcript = await sessions.read(id, signal);
	stream.markdown(resumedText(transcript));
	return { sessionId: id, resumedTurns: transcript.turns.length };
}

function offer(last: readonly SessionSummary[], total: number, stream: vscode.ChatResponseStream): void {
	if (last.length === 0) {
		stream.markdown("There is no earlier session yet. Ask something, and it is kept.");
		return;
	}
	stream.markdown(last.length < total ? `The last ${last.length} of ${total} sessions:` : "Your sessions:");
	for (const { id, title, turns, updatedAt } of last) {
		const when = new Date(updatedAt).toLocaleString();
		stream.markdown(`\n\n**${escapeMarkdown(title)}** · ${countOf(turns)} · ${escapeMarkdown(when)}\n\n`);
		stream.button({ command: "copilot-ld.resumeSession", title: "Resume", arguments: [id] });
	}
}

function resumedText({ session, turns }: Transcript): string {
	const last = turns.at(-1);
	const title = `This chat goes on with **${escapeMarkdown(session.title)}** (${countOf(turns.length)}).`;
	if (!last) return title;
	const answer = last.answer.length > SHOWN ? `${last.answer.slice(0, SHOWN)}…` : last.answer;
	const quoted = [last.question, answer].map(quoteMarkdown);
	return [title, "It ended with:", ...quoted].join("\n\n");
}

function countOf(turns: number): string {
	return turns === 1 ? "1 turn" : `${turns} turns`;
}

/** `/remember`: keeps a fact and shows what was kept, or shows what is remembered. */
export async function answerRemember(
	{ memory }: SessionChatDeps,
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

/** Opens a chat that goes on with a session, on the engine that has it; without an id, the person chooses one. */
export async function resumeSession(
	{ sessions, cli }: SessionChatDeps & { readonly cli: Pick<CliLink, "history" | "resume"> },
	target: unknown,
): Promise<void> {
	const id = typeof target === "string" ? target : await chooseSession(sessions);
	if (id === undefined) return;
	if (!/^[\w-]+$/.test(id)) throw new Failure("BAD_INPUT", "That is not the id of a session.");
	if ((await cli.history.list()).some((session) => session.id === id)) return cli.resume(id);
	await vscode.commands.executeCommand("workbench.action.chat.newChat");
	await vscode.commands.executeCommand("workbench.action.chat.open", { query: `@copilot-ld /resume ${id}` });
}

async function chooseSession(sessions: Sessions): Promise<string | undefined> {
	const { sessions: last } = await sessions.list({ limit: 200 }, new AbortController().signal);
	const items = last.map(({ id, title, turns, updatedAt }) => ({
		...{
			id,
			label: title,
			description: turns > 0 ? countOf(turns) : "Copilot CLI",
			detail: new Date(updatedAt).toLocaleString(),
		},
	}));
	const placeHolder = items.length > 0 ? "Which session shall go on?" : "There is no earlier session yet";
	return (await vscode.window.showQuickPick(items, { placeHolder }))?.id;
}

/** Forgets a fact; without an id, the person chooses one. */
export async function forgetFact({ memory }: SessionChatDeps, target: unknown): Promise<void> {
	const { signal } = new AbortController();
	const id = typeof target === "string" ? target : await chooseFact(memory, signal);
	if (id === undefined) return;
	await memory.forget(id, signal);
	void vscode.window.showInformationMessage("Copilot-LD: forgotten.");
}

async function chooseFact(memory: Memory, signal: AbortSignal): Promise<string | undefined> {
	const facts = await memory.facts({ workspace: workspaceUri() }, signal);
	const items = facts.map((fact) => ({ id: fact.id, label: fact.text, description: holderOf(fact) }));
	const placeHolder = items.length > 0 ? "What shall be forgotten?" : "Nothing is remembered yet";
	return (await vscode.window.showQuickPick(items, { placeHolder }))?.id;
}
