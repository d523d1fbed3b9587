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

/** Reads the chunks of an answer, among which the CLI puts lines about its own work. */
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
		// If nothing follows, it is why the turn ended.
		if (level === "Error") heldError = text;
		const isShown = level === "Warning" || (level === "Info" && !NOISE.test(text));
		return isShown ? [{ kind: "notice", text }] : [];
	};
	return {
		/** Status lines come whole and begin with a level. A model may begin so too: only at a fresh start are others than retries read as such. */
		read: (chunk: string) => {
			const [, level, text = ""] = /^(Info|Warning|Error): (.+)$/s.exec(chunk.trimEnd()) ?? [];
			const held = flush();
			if (level === "Info" && RETRY.test(text)) return [...held, ...readRetry(text)];
			if (level && isFresh) return [...held, ...readStatus(level, text)];
			isFresh = false;
			return [...held, ...asText(repeats.read(chunk))];
		},
		/** Something came in between: the next chunk starts afresh. */
		interrupt: () => {
			isFresh = true;
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

const RETRY = / ?\bRetrying\.\.\.$/;
/** The partial answer then comes again from the start. */
const CUT = /\binterrupted\b/;
/** What the user knows already: the path of a new file, and that they cancelled. */
const NOISE = /^(?:(?:\/|[A-Za-z]:[\\/]).*|Operation cancelled by user)$/;

/** Streams text, and drops what is repeated after the stream was cut. */
function createRepeatFilter() {
	let shown = "";
	/** Received since the last rewind; `undefined` while nothing is being repeated. */
	let again: string | undefined;
	const readAgain = (text: string) => {
		again = text;
		if (shown.startsWith(text)) return { text: "", begins: false };
		const begins = !text.startsWith(shown);
		const fresh = begins ? text : text.slice(shown.length);
		shown = text;
		again = undefined;
		return { text: fresh, begins };
	};
	return {
		/** The new part of the chunk; `begins` if it starts another answer than the one cut off. */
		read: (chunk: string) => {
			if (again !== undefined) return readAgain(again + chunk);
			shown += chunk;
			return { text: chunk, begins: false };
		},
		/** The next text is a new start; nothing before it will be repeated. */
		mark: () => {
			shown = "";
			again = undefined;
		},
		/** The text since the last mark is about to come again. */
		rewind: () => {
			again = "";
		},
	};
}
