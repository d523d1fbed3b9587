import { stat } from "node:fs/promises";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { createBoundedMap } from "../../../base/jobs/boundedMap.ts";
import { fieldOf, isRecord, numberOf, textOf } from "../../../base/values.ts";
import { wordList } from "../../../base/words/wordList.ts";
import type { AgentEvent } from "../../../core/agent/agentEvent.ts";
import { CLI_TOOLS } from "../../../core/agent/cliTools.ts";
import type { Outcome } from "../../../core/session/journalEntry.ts";
import type { SessionHit, SessionSummary, TranscriptTurn } from "../../../core/session/session.ts";
import { readStoredEvents, type StoredEvent, type StoredSessions } from "../../stored/storedSessions.ts";
import { createTurnReader } from "../../updates/turnReader.ts";
import type { CliSessions } from "./cliSessions.ts";

export type CliHistory = ReturnType<typeof createCliHistory>;

const TYPES = wordList(`
	user.message assistant.message tool.execution_start tool.execution_complete session.usage_record session.error abort
`);

export function createCliHistory(sessions: CliSessions, stored: StoredSessions) {
	return {
		list: stored.list,
		turns: (id: string, signal: AbortSignal) => readStoredTurns(stored.eventsOf(id), signal),
		search: createStoredSearch(stored),
		/** `rename`, `delete` and `restore` reject with a `Failure` if the session is missing or in use. */
		rename: sessions.rename,
		delete: sessions.delete,
		restore: sessions.restore,
	};
}

export async function readStoredTurns(file: string, signal?: AbortSignal): Promise<TranscriptTurn[]> {
	const turns: StoredEvent[][] = [];
	for await (const event of readStoredEvents(file, TYPES, signal)) {
		if (event.type === "user.message") turns.push([event]);
		else turns.at(-1)?.push(event);
	}
	return turns.map(toTurn);
}

/** Translates stored events into ACP updates, so that a stored turn looks as it did when it ran. */
function toTurn(stored: readonly StoredEvent[], turn: number): TranscriptTurn {
	const reader = createTurnReader();
	const read = stored.flatMap(toUpdates).flatMap(reader.read);
	const events: AgentEvent[] = [...read, ...reader.flush()];
	const [question] = stored;
	const error = stored.find(({ type }) => type === "session.error");
	return {
		turn,
		at: question?.at ?? 0,
		question: (textOf(question?.data, "content") ?? "").trim(),
		attachments: [],
		events: events.filter(({ kind }) => kind !== "text"),
		answer: events.map((event) => (event.kind === "text" ? event.text : "")).join(""),
		outcome: outcomeOf(stored),
		...(error && { error: textOf(error.data, "message") ?? "The model's server reported an error." }),
		tokens: stored.reduce((sum, event) => sum + tokensOf(event), 0),
	};
}

function outcomeOf(stored: readonly StoredEvent[]): Outcome {
	if (stored.some(({ type }) => type === "abort")) return "cancelled";
	return stored.some(({ type }) => type === "session.error") ? "failed" : "done";
}

function tokensOf({ type, data }: StoredEvent): number {
	if (type !== "session.usage_record") return 0;
	const usage = fieldOf(data, "usage");
	return (numberOf(usage, "inputTokens") ?? 0) + (numberOf(usage, "outputTokens") ?? 0);
}

function toUpdates({ type, data }: StoredEvent): SessionUpdate[] {
	if (type === "assistant.message") return messageUpdates(data);
	const toolCallId = textOf(data, "toolCallId");
	if (toolCallId === undefined) return [];
	if (type === "tool.execution_start") return [startOf(toolCallId, data)];
	return type === "tool.execution_complete" ? [endOf(toolCallId, data)] : [];
}

function messageUpdates(data: unknown): SessionUpdate[] {
	const thought = textOf(data, "reasoningText") ?? "";
	const text = textOf(data, "content") ?? "";
	const said = (sessionUpdate: "agent_thought_chunk" | "agent_message_chunk", words: string) =>
		words === "" ? [] : [{ sessionUpdate, content: { type: "text" as const, text: words } }];
	return [...said("agent_thought_chunk", thought), ...said("agent_message_chunk", text)];
}

function startOf(toolCallId: string, data: unknown): SessionUpdate {
	const name = textOf(data, "toolName") ?? "other";
	const input = fieldOf(data, "arguments");
	const title = textOf(input, "description") ?? textOf(data, "toolTitle") ?? name;
	return {
		sessionUpdate: "tool_call",
		toolCallId,
		// ACP sends no tool names, so the name becomes the title. Only shell calls are displayed by their kind.
		...(name === "shell" || CLI_TOOLS.get(name)?.field === "command"
			? { title, kind: "execute" }
			: { title: name }),
		rawInput: isRecord(input) ? input : {},
		status: "in_progress",
	};
}

function endOf(toolCallId: string, data: unknown): SessionUpdate {
	const result = textOf(fieldOf(data, "result"), "content");
	const text = result ?? textOf(fieldOf(data, "error"), "message") ?? "";
	return {
		sessionUpdate: "tool_call_update",
		toolCallId,
		status: fieldOf(data, "success") === false ? "failed" : "completed",
		content: [{ type: "content", content: { type: "text", text } }],
		...(result !== undefined && { rawOutput: { content: result } }),
	};
}

interface Message {
	readonly turn: number;
	readonly role: SessionHit["role"];
	readonly text: string;
}

const MOST_KEPT = 20_000_000;
const EXCERPT = 200;
const BEFORE = 60;
const LEAST_SHARE = 0.5;
/** Weight of words in the score, as for our own messages; stored messages have no other score. */
const WORDS_WEIGHT = 0.5;

/** Searches questions and answers by words, best first. Caches messages until their file changes. */
function createStoredSearch({ eventsOf }: StoredSessions) {
	const kept = createBoundedMap<string, { readonly stamp: string; readonly messages: readonly Message[] }>(
		MOST_KEPT,
		({ messages }) => messages.reduce((sum, { text }) => sum + text.length, 0),
	);
	const messagesOf = async (id: string, signal: AbortSignal): Promise<readonly Message[]> => {
		const found = await stat(eventsOf(id)).catch(() => undefined);
		const stamp = `${found?.mtimeMs} ${found?.size}`;
		const before = kept.get(id);
		if (before?.stamp === stamp) return before.messages;
		const messages = await readMessages(eventsOf(id), signal);
		kept.set(id, { stamp, messages });
		return messages;
	};
	return async (text: string, sessions: readonly SessionSummary[], signal: AbortSignal) => {
		const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
		if (words.length === 0) return [];
		const hits: SessionHit[] = [];
		for (const session of sessions) {
			signal.throwIfAborted();
			const messages = await messagesOf(session.id, signal);
			hits.push(...messages.flatMap((message) => matchOf(session, message, words)));
		}
		return hits.sort((a, b) => b.score - a.score || b.session.updatedAt - a.session.updatedAt);
	};
}

async function readMessages(file: string, signal: AbortSignal): Promise<Message[]> {
	const messages: Message[] = [];
	let turn = -1;
	try {
		for await (const event of readStoredEvents(file, ["user.message", "assistant.message"], signal)) {
			if (event.type === "user.message") turn++;
			const text = textOf(event.data, "content")?.trim() ?? "";
			const role = event.type === "user.message" ? "question" : "answer";
			if (text !== "" && turn >= 0) messages.push({ turn, role, text });
		}
	} catch {
		signal.throwIfAborted();
		// Search the messages that were read so far.
	}
	return messages;
}

function matchOf(session: SessionSummary, { turn, role, text }: Message, words: readonly string[]) {
	const folded = text.toLowerCase();
	const places = words.map((word) => folded.indexOf(word)).filter((index) => index >= 0);
	const share = places.length / words.length;
	if (share < LEAST_SHARE) return [];
	return [
		{ session, turn, role, excerpt: excerptOf(text, Math.min(...places)), score: WORDS_WEIGHT * share },
	];
}

function excerptOf(text: string, at: number): string {
	const from = Math.max(0, at - BEFORE);
	const to = Math.min(text.length, from + EXCERPT);
	const line = text.slice(from, to).replace(/\s+/g, " ").trim();
	return `${from > 0 ? "…" : ""}${line}${to < text.length ? "…" : ""}`;
}
