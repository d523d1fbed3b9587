import { inlineCode, shownLines } from "../../base/text/visibleText.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";

/** Maximum output of one call that is shown while it runs; at its end the last lines follow. */
const LIVE_LINES = 200;
const LIVE_CHARACTERS = 20_000;

/** Longer than any fence that programs print; a line that would close it is indented. */
const FENCE = "`".repeat(8);
const CLOSES = /^ {0,3}`{8,}\s*$/;

type Updated = Extract<AgentEvent, { kind: "toolUpdated" }>;

/** What a call puts out, in the chat while it comes. The chat can only be added to, so whole lines are. */
export type LiveOutput = ReturnType<typeof createLiveOutput>;

export function createLiveOutput(write: (markdown: string) => void) {
	/** What the chat already shows of each call that is at work. */
	const shown = new Map<string, string>();
	let open: string | undefined;
	const interrupt = () => {
		if (open !== undefined) write(`${FENCE}\n\n`);
		open = undefined;
	};
	const begin = (callId: string, head: string) => {
		if (open === callId) return;
		interrupt();
		write(`\n\n${head}\n\n${FENCE}text\n`);
		open = callId;
	};
	const add = (callId: string, fresh: string, before: string) => {
		const lines = shownLines(fresh)
			.split("\n")
			.map((line) => (CLOSES.test(line) ? `    ${line}` : line));
		write(lines.join("\n"));
		shown.set(callId, before + fresh);
	};
	return {
		update: ({ call, text }: Updated, head: string) => {
			const before = shown.get(call.id) ?? "";
			// Whole lines that came behind what is shown; none if the text before has changed.
			const end = text.lastIndexOf("\n") + 1;
			const fresh = text.startsWith(before) ? text.slice(before.length, end) : "";
			const isOthers = open !== undefined && open !== call.id;
			if (fresh === "" || isOthers || isFull(before + fresh)) return;
			begin(call.id, head);
			add(call.id, fresh, before);
		},
		interrupt,
		/** Shows the rest of a call that has ended. False if not all of it is in the chat now. */
		end: (callId: string, text: string) => {
			const before = shown.get(callId);
			if (before === undefined) return false;
			const rest = text.startsWith(before.trimEnd()) ? text.slice(before.length) : undefined;
			const isWhole = rest !== undefined && !isFull(before + rest);
			if (isWhole && rest.trim() !== "") {
				begin(callId, "");
				add(callId, `${rest.trimEnd()}\n`, before);
			}
			interrupt();
			shown.delete(callId);
			return isWhole;
		},
		has: (callId: string) => shown.has(callId),
	};
}

function isFull(text: string): boolean {
	return text.length > LIVE_CHARACTERS || text.split("\n").length > LIVE_LINES;
}

/** A call in one line: what it is for, and the command if it is one. */
export function callLine(title: string, input: unknown): string {
	const isCommand = typeof input === "object" && input !== null && "command" in input;
	return isCommand ? `${title}: ${inlineCode(`${input.command}`)}` : title;
}
