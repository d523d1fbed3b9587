import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { createRepeatFilter } from "./repeatFilter.ts";
import { readStatusLine, type StatusLine } from "./statusLine.ts";

/** Reads the chunks of an answer, among which the CLI puts lines about its own work. */
export interface AnswerReader {
	read(chunk: string): AgentEvent[];
	/** Something came in between: the next chunk starts afresh. */
	interrupt(): AgentEvent[];
	/** The error line at the end, if there is one: it may be why the turn ended. */
	lastError(): string | undefined;
	/** The last error line, to be shown as the ordinary text it turned out to be. */
	flush(): AgentEvent[];
}

/** Seconds that the CLI waits before each retry after a server error. */
const WAITS = [0.5, 1, 2, 5, 8];

export function createAnswerReader(): AnswerReader {
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
		read: (chunk) => {
			const line = readStatusLine(chunk, isFresh);
			const held = flush();
			if (line) return [...held, ...readStatus(line)];
			isFresh = false;
			return [...held, ...asText(repeats.read(chunk))];
		},
		interrupt: () => {
			isFresh = true;
			retries = 0;
			repeats.mark();
			return flush();
		},
		lastError: () => heldError,
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
