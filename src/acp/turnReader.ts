import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentEvent } from "../core/agentEvent.ts";
import { createRepeatFilter } from "./repeatFilter.ts";
import { readStatusLine, type StatusLine } from "./statusLine.ts";
import { createToolCalls, type ToolCalls } from "./toolCalls.ts";
import { fieldOf, numberOf, textOf } from "./values.ts";

/** Reads what an agent says of one turn. */
export interface TurnReader {
	readonly calls: ToolCalls;
	/** Updates of kinds that it does not know mean nothing. */
	read(update: SessionUpdate): AgentEvent[];
	/** The error line that stands last, if one does: the turn may have ended for it. */
	lastError(): string | undefined;
	/** The last error line as the text that it then was. */
	flush(): AgentEvent[];
}

/** Seconds before each try, as the CLI waits after an error of the server. */
const WAITS = [0.5, 1, 2, 5, 8];

export function createTurnReader(): TurnReader {
	const calls = createToolCalls();
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
		if (line.kind === "noise") return [];
		if (line.kind === "notice") return [{ kind: "notice", text: line.text }];
		if (line.kind === "error") {
			heldError = line.text;
			return [];
		}
		if (line.isCut) repeats.rewind();
		const seconds = WAITS[retries++];
		const when = seconds === undefined ? "" : ` (try ${retries} of ${WAITS.length}, in ${seconds} s)`;
		return [{ kind: "progress", text: `${line.text.replace(/ Retrying\.\.\.$/, "")} Trying again${when}` }];
	};
	const readText = (chunk: string): AgentEvent[] => {
		const line = readStatusLine(chunk, isFresh);
		const held = flush();
		if (line) return [...held, ...readStatus(line)];
		isFresh = false;
		const { text, begins } = repeats.read(chunk);
		if (text === "") return held;
		const again: AgentEvent[] = begins
			? [{ kind: "notice", text: "The answer was cut short; it begins again." }]
			: [];
		return [...held, ...again, { kind: "text", text }];
	};
	const readCall = (update: Parameters<ToolCalls["read"]>[0]): AgentEvent[] => {
		const events = [...flush(), ...calls.read(update)];
		isFresh = true;
		retries = 0;
		repeats.mark();
		return events;
	};
	return {
		calls,
		read: (update) => {
			switch (update.sessionUpdate) {
				case "agent_message_chunk":
					return readText(textOf(fieldOf(update, "content"), "text") ?? "");
				case "agent_thought_chunk":
					return thought(textOf(fieldOf(update, "content"), "text") ?? "");
				case "tool_call":
				case "tool_call_update":
					return readCall(update);
				case "usage_update":
					return window(update);
				default:
					return [];
			}
		},
		lastError: () => heldError,
		flush,
	};
}

function thought(text: string): AgentEvent[] {
	return text === "" ? [] : [{ kind: "thought", text }];
}

function window(update: SessionUpdate): AgentEvent[] {
	const usedTokens = numberOf(update, "used");
	const maxTokens = numberOf(update, "size");
	return usedTokens === undefined || maxTokens === undefined ? [] : [{ kind: "window", usedTokens, maxTokens }];
}
