import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { Failure, ifThere } from "../../base/failure.ts";
import { escapeMarkdown, visibleText } from "../../base/text/visibleText.ts";
import type { Turn } from "../../core/agent/agentEvent.ts";
import { historyTurn, isQuoted } from "../../core/agent/turnAnswer.ts";
import type { SessionPage, SessionSummary, Sessions, TranscriptTurn } from "../../core/session/session.ts";
import { workspaceUri } from "../folders.ts";
import { amounts, counted } from "../l10n.ts";
import { askButton, sendToChat } from "../models/passagesModel.ts";
import type { Answer } from "../turn/turnRecord.ts";
import { trustedLink } from "./answerFooter.ts";
import { replayText } from "./replayText.ts";
import { createCitationView } from "./showEvent.ts";

const OFFERED = 10;
/** Maximum number of turns passed to another engine. */
const TOLD_TURNS = 8;
/** Maximum number of characters of each question and answer passed to another engine. */
const TOLD_CHARACTERS = 1500;

export interface ResumeDeps {
	readonly sessions: Sessions;
	readonly cli: {
		chats(): ReadonlyMap<string, string>;
		bind(chat: string, session: string): Promise<void>;
		readonly history: { list(): Promise<readonly SessionSummary[]> };
	};
}

export const answerResume: Answer<ResumeDeps> = async (deps, { prompt, stream, add }, signal) => {
	if (prompt === "") {
		const { sessions: last, total } = await lastSessions(deps.sessions, OFFERED, signal);
		return offer(last, total, stream);
	}
	const found = await find(deps, await idOf(deps, prompt, signal), signal);
	const cite = createCitationView(stream);
	for (const piece of replayText(found)) typeof piece === "string" ? stream.markdown(piece) : cite(piece);
	const onward = vscode.l10n.t("Continue with the Copilot CLI");
	if (found.onCli) stream.button(askButton(onward, "@copilot-ld /cli ", true));
	add(found.record);
};

/** Returns the session ID for an ID, the start of an ID in parentheses, or words of a title. */
async function idOf({ sessions, cli }: ResumeDeps, wanted: string, signal: AbortSignal): Promise<string> {
	const isMeant = meaning(wanted);
	if (!isMeant) return wanted;
	const lists = await Promise.all(
		[false, true].map((archived) => sessions.list({ archived, limit: Number.MAX_SAFE_INTEGER }, signal)),
	);
	const listed = lists.flatMap((list) => list.sessions);
	// The list may not include the CLI's sessions yet.
	return (listed.find(isMeant) ?? (await cli.history.list()).find(isMeant))?.id ?? wanted;
}

/** Reads a session, and binds a session that only the CLI has to this chat. Does not start the CLI. */
async function find({ sessions, cli }: ResumeDeps, id: string, signal: AbortSignal) {
	const chat = [...cli.chats()].findLast(([, session]) => session === id)?.[0];
	// A chat that resumed the session but asked nothing has no journal.
	const ofChat = chat === undefined ? undefined : await ifThere(() => sessions.read(chat, signal));
	const { session, turns } = ofChat ?? (await sessions.read(id, signal));
	const { title, workspace } = session;
	// A session of ours may have begun on the CLI, too, so the CLI's list decides.
	const isOfCli = !ofChat && (await cli.history.list()).some((each) => each.id === id);
	if (!isOfCli) {
		const last = turns.findLastIndex(({ command }) => command === "cli");
		const record = {
			sessionId: session.id,
			resumedTurns: turns.length,
			unseenByCli: told(turns.slice(last + 1)),
		};
		return { title, turns, onCli: cli.chats().has(session.id), record };
	}
	const record = { sessionId: chat ?? randomUUID(), resumedTurns: turns.length, unseenByCli: [] };
	await cli.bind(record.sessionId, id);
	const folder = workspace === "" ? "" : vscode.Uri.parse(workspace).fsPath;
	return { title, turns, folder, onCli: true, record };
}

/** Shortens turns for the chat's metadata, which is read again with every question. */
function told(turns: readonly TranscriptTurn[]): Turn[] {
	const cut = (text: string) =>
		text.length > TOLD_CHARACTERS ? `${text.slice(0, TOLD_CHARACTERS)} …` : text;
	return turns
		.filter(({ answer }) => answer !== "")
		.slice(-TOLD_TURNS)
		.map(({ question, answer, events }) =>
			historyTurn({ question: cut(question), answer: cut(answer) }, isQuoted(events)),
		);
}

async function lastSessions(sessions: Sessions, limit: number, signal: AbortSignal): Promise<SessionPage> {
	const { sessions: all, total } = await sessions.list({ limit }, signal);
	const workspace = workspaceUri();
	if (workspace === "") return { sessions: all, total };
	const { sessions: here } = await sessions.list({ workspace, limit }, signal);
	const others = all.filter((session) => session.workspace !== workspace);
	return { sessions: [...here, ...others].slice(0, limit), total };
}

function offer(last: readonly SessionSummary[], total: number, stream: vscode.ChatResponseStream): void {
	if (last.length === 0) {
		stream.markdown(vscode.l10n.t("There is no earlier session yet. Ask a question to start one."));
		return;
	}
	stream.markdown(
		last.length < total
			? vscode.l10n.t("The last {0} of {1} sessions:", last.length, total)
			: vscode.l10n.t("Your sessions:"),
	);
	for (const session of last) {
		const { id, title, description, detail } = sessionItem(session);
		const facts = [description, detail].map(escapeMarkdown).join(" · ");
		stream.markdown(`\n\n**${escapeMarkdown(title)}** · ${facts}\n\n`);
		stream.markdown(
			trustedLink({ command: "copilot-ld.resumeSession", title: vscode.l10n.t("Resume"), arguments: [id] }),
		);
	}
}

/** Opens a chat that replays and continues a session. Without an ID, opens the Sessions view. */
export async function resumeSession(sessions: Sessions, target: unknown): Promise<void> {
	if (typeof target !== "string") return vscode.commands.executeCommand("copilot-ld.showSessions");
	const { session } = await sessions.read(target, new AbortController().signal);
	await openResumed(session);
}

export async function resumeCliSession({ history }: ResumeDeps["cli"]): Promise<void> {
	const items = history.list().then((sessions) => sessions.map(sessionItem));
	const placeHolder = vscode.l10n.t("Select a session of the Copilot CLI to resume");
	const session = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
	if (session) await openResumed(session);
}

/** Opens a chat with the session's title and ID as first words: VS Code names the chat after them. */
async function openResumed({ id, title }: Named): Promise<void> {
	if (!/^[\w-]+$/.test(id)) throw new Failure("BAD_INPUT", vscode.l10n.t("This is not the ID of a session."));
	await vscode.commands.executeCommand("workbench.action.chat.newChat");
	await sendToChat(`@copilot-ld /resume ${namedSession({ id, title })}`);
}

interface Named {
	readonly id: string;
	readonly title: string;
}

const TITLE_CHARACTERS = 60;
const ID_CHARACTERS = 8;

export function namedSession({ id, title }: Named): string {
	// Removes characters to which VS Code gives a special meaning in prompts.
	const words = title
		.replace(/[\p{C}\s@#/]+/gu, " ")
		.trim()
		.slice(0, TITLE_CHARACTERS)
		.trim();
	return words === "" || id.length <= ID_CHARACTERS ? id : `${words} (${id.slice(0, ID_CHARACTERS)})`;
}

/** Returns a test for sessions with the given name; `undefined` if an ID is given. */
export function meaning(wanted: string): ((session: Named) => boolean) | undefined {
	const beginning = /\(([\w-]{8})\)$/.exec(wanted)?.[1];
	if (beginning !== undefined) return ({ id }) => id.startsWith(beginning);
	if (/^[\w-]+$/.test(wanted)) return undefined;
	const words = wanted.toLowerCase();
	return ({ title }) => title.toLowerCase().includes(words);
}

const CHOICES = 500;

type SessionItem = ReturnType<typeof sessionItem>;

export function binCommands(sessions: Sessions): Record<string, () => Promise<void>> {
	return {
		"copilot-ld.deleteSessions": () => deleteSessions(sessions),
		"copilot-ld.restoreSessions": () => restoreSessions(sessions),
	};
}

const deletedText = counted(
	vscode.l10n.t("Copilot-LD: 1 session deleted."),
	vscode.l10n.t("Copilot-LD: {0} sessions deleted."),
);
const restoredText = counted(
	vscode.l10n.t("Copilot-LD: 1 session restored."),
	vscode.l10n.t("Copilot-LD: {0} sessions restored."),
);

async function deleteSessions(sessions: Sessions): Promise<void> {
	const { signal } = new AbortController();
	const { sessions: all } = await sessions.list({ limit: CHOICES }, signal);
	const chosen = await choose(all.map(sessionItem), vscode.l10n.t("There are no sessions yet."), {
		title: vscode.l10n.t("Delete Sessions"),
		placeHolder: vscode.l10n.t("Select sessions to delete (they can be restored for 30 days)"),
	});
	for (const { id } of chosen) await sessions.delete(id, signal);
	if (chosen.length === 0) return;
	const [restore, text] = [vscode.l10n.t("Restore"), deletedText(chosen.length)];
	if ((await vscode.window.showInformationMessage(text, restore)) !== restore) return;
	for (const { id } of chosen) await sessions.restore(id, signal);
}

async function restoreSessions(sessions: Sessions): Promise<void> {
	const { signal } = new AbortController();
	const deleted = await sessions.listDeleted(signal);
	const items = deleted.map((session) => ({
		...sessionItem(session),
		detail: vscode.l10n.t("Deleted {0}", new Date(session.deletedAt).toLocaleString(vscode.env.language)),
	}));
	const chosen = await choose(items, vscode.l10n.t("No session was deleted in the last 30 days."), {
		title: vscode.l10n.t("Restore Deleted Sessions"),
		placeHolder: vscode.l10n.t("Select sessions to restore"),
	});
	for (const { id } of chosen) await sessions.restore(id, signal);
	if (chosen.length > 0) void vscode.window.showInformationMessage(restoredText(chosen.length));
}

async function choose(items: readonly SessionItem[], ifNone: string, options: vscode.QuickPickOptions) {
	const many = { ...options, canPickMany: true, matchOnDescription: true } as const;
	if (items.length > 0) return (await vscode.window.showQuickPick(items, many)) ?? [];
	void vscode.window.showInformationMessage(`Copilot-LD: ${ifNone}`);
	return [];
}

export function sessionItem({ id, title, turns, updatedAt, workspace }: SessionSummary) {
	return {
		id,
		title,
		label: visibleText(title),
		description: [turns > 0 ? amounts.turns(turns) : "Copilot CLI", placeOf(workspace)]
			.filter(Boolean)
			.join(" · "),
		detail: new Date(updatedAt).toLocaleString(vscode.env.language),
	};
}

function placeOf(workspace: string): string {
	if (workspace === "" || workspace === workspaceUri()) return "";
	return decodeURIComponent(workspace.replace(/\/$/, "").split("/").at(-1) ?? "");
}
