import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { fieldOf, numberOf, textOf } from "../../base/values.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { createToolCalls } from "./toolCalls.ts";

export type TurnReader = ReturnType<typeof createTurnReader>;

export function createTurnReader() {
	const calls = createToolCalls();
	const answer = createAnswerReader();
	return {
		calls,
		read: (update: SessionUpdate): AgentEvent[] => {
			switch (update.sessionUpdate) {
				case "agent_message_chunk":
					return answer.read(contentOf(update));
				case "agent_thought_chunk":
					return toText("thought", contentOf(update));
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

function toText(kind: "text" | "thought", text: string): AgentEvent[] {
	return text === "" ? [] : [{ kind, text }];
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
	const flush = (): AgentEvent[] => {
		const held = heldError;
		heldError = undefined;
		return held === undefined ? [] : [{ kind: "text", text: `Error: ${held}` }];
	};
	const readRetry = (text: string): AgentEvent[] => {
		isFresh = true;
		if (CUT.test(text)) repeats.rewind();
		return [{ kind: "progress", text: `${text.replace(RETRY, "")} Trying again` }];
	};
	const readStatus = (level: string, text: string): AgentEvent[] => {
		// If no chunk follows, this error ended the turn.
		if (level === "Error") heldError = text;
		const isShown = level === "Warning" || (level === "Info" && !NOISE.test(text));
		return isShown ? [{ kind: "notice", text }] : [];
	};
	return {
		/** Except for retries, a status line counts only after a break, because models may write such text too. */
		read: (chunk: string) => {
			const [, level, text = ""] = /^(Info|Warning|Error): (.+)$/s.exec(chunk.trimEnd()) ?? [];
			const held = flush();
			if (level === "Info" && RETRY.test(text)) return [...held, ...readRetry(text)];
			if (level && isFresh) return [...held, ...readStatus(level, text)];
			isFresh = false;
			return [...held, ...repeats.read(chunk)];
		},
		interrupt: () => {
			isFresh = true;
			repeats.mark();
			return flush();
		},
		/** Error line at the end of the answer, which may have ended the turn; `undefined` if there is none. */
		lastError: () => heldError,
		flush,
	};
}

const RETRY = / ?\bRetrying\.\.\.$/;
/** After such a retry, the CLI sends the answer again from its start. */
const CUT = /\binterrupted\b/;
/** Notices that the user does not need: the path of a new file, and the user's own cancellation. */
const NOISE = /^(?:(?:\/|[A-Za-z]:[\\/]).*|Operation cancelled by user)$/;

/** Streams text, but drops text that the CLI repeats after an interruption. */
function createRepeatFilter() {
	let shown = "";
	/** Text received since the last rewind; `undefined` if nothing is being repeated. */
	let again: string | undefined;
	return {
		/** Reads the new part of a chunk. Reports a repeated answer that differs from the first answer. */
		read: (chunk: string): AgentEvent[] => {
			const before = again === undefined ? undefined : shown;
			const text = `${again ?? shown}${chunk}`;
			if (before?.startsWith(text)) {
				again = text;
				return [];
			}
			again = undefined;
			shown = text;
			if (before === undefined) return toText("text", chunk);
			if (text.startsWith(before)) return toText("text", text.slice(before.length));
			return [{ kind: "notice", text: "The answer was cut off; it starts over." }, ...toText("text", text)];
		},
		mark: () => {
			shown = "";
			again = undefined;
		},
		rewind: () => {
			again = "";
		},
	};
}
