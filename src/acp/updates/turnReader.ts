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
		/** Ignores updates of unknown kinds. */
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
	const readStatus = (line: StatusLine): AgentEvent[] => {
		isFresh = true;
		if (line.kind === "error") heldError = line.text;
		if (line.kind === "notice") return [{ kind: "notice", text: line.text }];
		if (line.kind !== "retry") return [];
		if (line.isCut) repeats.rewind();
		return [{ kind: "progress", text: `${line.text.replace(/ Retrying\.\.\.$/, "")} Trying again` }];
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

type StatusLine =
	/** It is retrying the same request. */
	| { readonly kind: "retry"; readonly text: string; readonly isCut: boolean }
	/** Says what the user knows already. */
	| { readonly kind: "noise" }
	| { readonly kind: "notice"; readonly text: string }
	/** If nothing follows, it is why the turn ended. */
	| { readonly kind: "error"; readonly text: string };

/**
 * Reads a chunk of the answer that is a status line of the CLI: it comes whole and begins with its level. A model may
 * begin a sentence the same way, so lines with unknown words count only at the beginning of a new chunk of text.
 */
function readStatusLine(chunk: string, isFresh: boolean): StatusLine | undefined {
	const match = /^(Info|Warning|Error): (.+)$/s.exec(chunk.trimEnd());
	if (!match) return undefined;
	const [, level, text = ""] = match;
	if (level === "Info" && RETRY.test(text)) return { kind: "retry", text, isCut: CUT.test(text) };
	if (!isFresh) return undefined;
	if (level === "Error") return { kind: "error", text };
	if (level === "Info" && NOISE.test(text)) return { kind: "noise" };
	return { kind: "notice", text };
}

const RETRY = /\bRetrying\.\.\.$/;
/** The partial answer then comes again from the start. */
const CUT = /\binterrupted\b/;
/** The path of a new file, and that the user has cancelled. */
const NOISE = /^(?:(?:\/|[A-Za-z]:[\\/]).*|Operation cancelled by user)$/;

/** Streams text, and drops what is repeated after the stream was cut. */
function createRepeatFilter() {
	/** Shown since the last mark. */
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
