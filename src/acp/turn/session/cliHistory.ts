import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { fieldOf, isRecord, numberOf, textOf } from "../../../base/values.ts";
import { wordList } from "../../../base/words/wordList.ts";
import type { AgentEvent } from "../../../core/agent/agentEvent.ts";
import { CLI_TOOLS } from "../../../core/agent/cliTools.ts";
import type { Outcome } from "../../../core/session/journalEntry.ts";
import type { TranscriptTurn } from "../../../core/session/session.ts";
import { createStoredSearch } from "../../stored/storedSearch.ts";
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
