import { isDeepStrictEqual } from "node:util";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { fieldOf, listOf, numberOf, textOf } from "../../base/values.ts";
import type { AgentEvent, ToolCall } from "../../core/agent/agentEvent.ts";
import { OUR_TOOLS_ON_CLI } from "../../core/agent/ourTools.ts";

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

export interface CallState {
	readonly call: ToolCall;
	readonly title: string;
	/** Kind of the call in ACP: `execute`, `edit`, `read`, … */
	readonly kind: string;
	readonly text: string;
	readonly diffs: readonly Diff[];
	readonly status: "open" | "ok" | "failed";
	readonly exitCode?: number;
}

interface Diff {
	readonly path: string;
	readonly oldText: string;
	readonly newText: string;
}

type CallUpdate = Extract<SessionUpdate, { sessionUpdate: "tool_call" | "tool_call_update" }>;

export type ToolCalls = ReturnType<typeof createToolCalls>;

export function createToolCalls() {
	const calls = new Map<string, CallState>();
	const open = () => [...calls.values()].filter(({ status }) => status === "open");
	return {
		read: (update: CallUpdate) => {
			const id = textOf(update, "toolCallId");
			if (id === undefined) return [];
			const before = calls.get(id);
			const after = applyUpdate(before, id, update);
			calls.set(id, after);
			return changesBetween(before, after);
		},
		get: (id: string) => calls.get(id),
		open,
		/** Closes the open calls, because the CLI sends no more updates about them after a cancellation. */
		closeAll: (reason: string) =>
			open().map((state) => {
				const closed: CallState = { ...state, status: "failed", text: state.text || reason };
				calls.set(state.call.id, closed);
				return finished(closed);
			}),
	};
}

function applyUpdate(before: CallState | undefined, id: string, update: CallUpdate): CallState {
	const kind = textOf(update, "kind") ?? before?.kind ?? "other";
	const title = textOf(update, "title") ?? before?.title ?? kind;
	const input = fieldOf(update, "rawInput") ?? before?.call.input ?? {};
	const isKnown = (diff: Diff) => before?.diffs.some((known) => isDeepStrictEqual(known, diff));
	// The CLI sends each diff twice: when the call starts and when the call ends.
	const diffs = diffsIn(update).filter((diff) => !isKnown(diff));
	const exitCode = exitCodeIn(update) ?? before?.exitCode;
	// Recognizes our tools by title, except for commands, whose titles the model may write.
	const isOurs = kind !== "execute" && OUR_TOOLS_ON_CLI.has(title);
	return {
		call: { id, name: isOurs ? title : toolName(kind, title), input },
		title,
		kind,
		text: outputIn(update) ?? before?.text ?? "",
		diffs: [...(before?.diffs ?? []), ...diffs],
		status: STATUS.get(String(fieldOf(update, "status"))) ?? before?.status ?? "open",
		...(exitCode !== undefined && { exitCode }),
	};
}

function changesBetween(before: CallState | undefined, after: CallState): AgentEvent[] {
	const events: AgentEvent[] = [];
	if (!before) events.push({ kind: "toolStarted", call: after.call, title: after.title });
	for (const diff of after.diffs.slice(before?.diffs.length ?? 0))
		events.push({ kind: "diff", callId: after.call.id, ...diff });
	if (after.status !== "open") {
		if (before?.status !== after.status) events.push(finished(after));
	} else if (before && after.text !== before.text)
		events.push({ kind: "toolUpdated", call: after.call, text: after.text });
	return events;
}

function finished({ call, status, text, exitCode }: CallState): AgentEvent {
	// The CLI reports a failed command as a successful call; only the exit code reveals the failure.
	const ok = status === "ok" && (exitCode ?? 0) === 0;
	return { kind: "toolFinished", call, ok, text, ...(exitCode !== undefined && { exitCode }) };
}

/** The CLI sends only a kind and, for MCP tools, the title `server-tool`. */
export function toolName(kind: string, title: string): string {
	if (kind === "execute") return "shell";
	if (kind === "other") return /^[\w-]+$/.test(title) ? title : "other";
	return kind;
}

const STATUS: ReadonlyMap<string, CallState["status"]> = new Map([
	["completed", "ok"],
	["failed", "failed"],
	["pending", "open"],
	["in_progress", "open"],
]);

/** Returns the call's output, which replaces earlier output, without the CLI's own last line. */
function outputIn(update: CallUpdate): string | undefined {
	const texts = listOf(update, "content").flatMap((item) => textOf(fieldOf(item, "content"), "text") ?? []);
	if (texts.length > 0) return texts.join("\n").replace(SHELL_FRAME, "");
	const output = fieldOf(update, "rawOutput");
	return typeof output === "string" ? output : (textOf(output, "message") ?? textOf(output, "content"));
}

/** The CLI's line after a command's output. Text that a hook added may follow, and is kept. */
const SHELL_FRAME =
	/\n?<shellId: \S+ completed with exit code -?\d+>(?=\s*$|\n\nTool "[^"\n]*" [^\n]*Additional guidance from)/;

function exitCodeIn(update: CallUpdate): number | undefined {
	const output = fieldOf(update, "rawOutput");
	const exit = listOf(output, "contents").find((item) => textOf(item, "type") === "shell_exit");
	const framed = /completed with exit code (-?\d+)>/.exec(textOf(output, "content") ?? "")?.[1];
	return numberOf(exit, "exitCode") ?? (framed === undefined ? undefined : Number(framed));
}

function diffsIn(update: CallUpdate): Diff[] {
	return listOf(update, "content").flatMap((item) => {
		const path = textOf(item, "path");
		const newText = textOf(item, "newText");
		if (textOf(item, "type") !== "diff" || path === undefined || newText === undefined) return [];
		return [{ path, oldText: textOf(item, "oldText") ?? "", newText }];
	});
}
