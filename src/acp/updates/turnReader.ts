import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { fieldOf, numberOf, textOf } from "../../base/values.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { createRepeatFilter } from "./repeatFilter.ts";
import { readStatusLine, type StatusLine } from "./statusLine.ts";
import { createToolCalls, type ToolCalls } from "./toolCalls.ts";

export interface TurnReader extends Pick<AnswerReader, "lastError" | "flush"> {
	readonly calls: ToolCalls;
	/** Ignores updates of unknown kinds. */
	read(update: SessionUpdate): AgentEvent[];
}

/** Reads the chunks of an answer, among which the CLI puts lines about its own work. */
type AnswerReader = ReturnType<typeof createAnswerReader>;

/** Seconds that the CLI waits before each retry after a server error. */
const WAITS = [0.5, 1, 2, 5, 8];

export function createTurnReader(): TurnReader {
	const calls = createToolCalls();
	const answer = createAnswerReader();
	return {
		calls,
		read: (update) => {
			switch (update.sessionUpdate) {
				case "agent_message_chunk":
					return answer.read(contentOf(update));
				case "agent_thought_chunk":
					return thought(contentOf(update));
				case "tool_call":
				case "tool_call_update":
					return [...answer.interrupt(), ...calls.read(update)];
				case "usage_update":
					return window(update);
				default:
					return [];
			}
		},
		lastError: answer.lastError,
		flush: answer.flush,
	};
}

function contentOf(update: SessionUpdate): string {
	return textOf(fieldOf(update, "content"), "text") ?? "";
}

function thought(text: string): AgentEvent[] {
	return text === "" ? [] : [{ kind: "thought", text }];
}

function window(update: SessionUpdate): AgentEvent[] {
	const usedTokens = numberOf(update, "used");
	const maxTokens = numberOf(update, "size");
	return usedTokens === undefined || maxTokens === undefined
		? []
		: [{ kind: "window", usedTokens, maxTokens }];
}

function createAnswerReader() {
	const repeats = createRepeatFilter();
	let heldError: string | undefined;
	let isFresh = true;
	let retries = 0;
	const flush = (): AgentEvent[] => {
		const held = heldError;
		heldError = undefined;
		return held === undefined ? [] : [{ kind: "text", text: `Error: ${held}` }];
	};
	const readStatus = (line: StatusLine): AgentEvent[] => {
		isFresh = true;
		if (line.kind === "error") heldError = line.text;
		if (line.kind === "notice") return [{ kind: "notice", text: line.text }];
		if (line.kind !== "retry") return [];
		if (line.isCut) repeats.rewind();
		return [retrying(line.text, retries++)];
	};
	return {
		read: (chunk: string) => {
			const line = readStatusLine(chunk, isFresh);
			const held = flush();
			if (line) return [...held, ...readStatus(line)];
			isFresh = false;
			return [...held, ...asText(repeats.read(chunk))];
		},
		/** Something came in between: the next chunk starts afresh. */
		interrupt: () => {
			isFresh = true;
			retries = 0;
			repeats.mark();
			return flush();
		},
		/** The error line at the end, if there is one: it may be why the turn ended. */
		lastError: () => heldError,
		/** The last error line, to be shown as the ordinary text it turned out to be. */
		flush,
	};
}

function asText({ text, begins }: { readonly text: string; readonly begins: boolean }): AgentEvent[] {
	if (text === "") return [];
	const answer: AgentEvent = { kind: "text", text };
	return begins ? [{ kind: "notice", text: "The answer was cut off; it starts over." }, answer] : [answer];
}

function retrying(text: string, retries: number): AgentEvent {
	const seconds = WAITS[retries];
	const when = seconds === undefined ? "" : ` (try ${retries + 1} of ${WAITS.length}, in ${seconds} s)`;
	return { kind: "progress", text: `${text.replace(/ Retrying\.\.\.$/, "")} Trying again${when}` };
}
