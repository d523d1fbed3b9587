import { type AnyMessage, methods, type Stream } from "@agentclientprotocol/sdk";
import type { Facts, Recorder } from "../../base/traces/recorder.ts";
import { fieldOf, numberOf, textOf } from "../../base/values.ts";

type Direction = "in" | "out";

interface Pending {
	readonly method: string;
	readonly since: number;
}

/** The most unanswered requests that we keep track of. */
const MOST_PENDING = 1000;
const DEEPEST = 40;

/** Any other word is the agent's own and may be anything. */
const METHODS = new Set(Object.values(methods).flatMap(wordsIn));
const UPDATES = new Set([
	"user_message_chunk",
	"agent_message_chunk",
	"agent_thought_chunk",
	"tool_call",
	"tool_call_update",
	"plan",
	"available_commands_update",
	"current_mode_update",
	"config_option_update",
	"session_info_update",
	"usage_update",
]);

/** Passes messages through, noting their kind, size and duration but nothing of what they say. */
export function meterMessages(stream: Stream, recorder: Recorder): Stream {
	const log: MessageLog = { pending: new Map(), recorder };
	const writer = stream.writable.getWriter();
	const incoming = new TransformStream<AnyMessage, AnyMessage>({
		transform: (message, controller) => {
			note(message, "in", log);
			controller.enqueue(message);
		},
	});
	const writable = new WritableStream<AnyMessage>({
		write: (message) => {
			note(message, "out", log);
			return writer.write(message);
		},
		close: () => writer.close(),
		abort: (reason) => writer.abort(reason),
	});
	return { readable: stream.readable.pipeThrough(incoming), writable };
}

interface MessageLog {
	readonly pending: Map<string, Pending>;
	readonly recorder: Recorder;
}

const ABOUT = { namespace: "cli", level: "debug" } as const;

function note(message: AnyMessage, direction: Direction, log: MessageLog): void {
	const facts = { direction, characters: charactersOf(message) };
	if ("method" in message) noteCall(message, facts, log);
	else noteAnswer(message, facts, log);
}

type Call = Extract<AnyMessage, { readonly method: string }>;
type Answer = Exclude<AnyMessage, Call>;
type MessageFacts = Facts & { readonly direction: Direction };

function noteCall(message: Call, facts: MessageFacts, { pending, recorder }: MessageLog): void {
	const method = METHODS.has(message.method) ? message.method : "other";
	if (!("id" in message) || message.id === undefined) {
		const told = { ...facts, method, ...updateOf(message.params) };
		recorder.tally({ ...ABOUT, event: "acp notification", facts: told });
		return;
	}
	pending.set(`${facts.direction} ${message.id}`, { method, since: performance.now() });
	const [oldest] = pending.keys();
	if (pending.size > MOST_PENDING && oldest !== undefined) pending.delete(oldest);
	recorder.note({ ...ABOUT, event: "acp request", facts: { ...facts, method, ...idOf(message.id) } });
}

/** An answer goes the other way than its request. */
function noteAnswer(message: Answer, facts: MessageFacts, { pending, recorder }: MessageLog): void {
	const key = `${facts.direction === "in" ? "out" : "in"} ${message.id}`;
	const request = pending.get(key);
	pending.delete(key);
	const error = fieldOf(message, "error");
	recorder.note({
		...ABOUT,
		level: error === undefined ? "debug" : "warn",
		event: "acp answer",
		facts: {
			...facts,
			method: request?.method ?? "other",
			outcome: error === undefined ? "done" : `${numberOf(error, "code") ?? "failed"}`,
			...(request && { ms: Math.round(performance.now() - request.since) }),
			...idOf(message.id),
		},
	});
}

function updateOf(params: unknown): Facts {
	const update = textOf(fieldOf(params, "update"), "sessionUpdate");
	if (update === undefined) return {};
	return { update: UPDATES.has(update) ? update : "other" };
}

/** Ids of ours, and of agents like ours, are numbers. */
function idOf(id: unknown): Facts {
	return typeof id === "number" ? { id } : {};
}

/** Roughly the length of its JSON, without serializing it. Deeper levels are ignored. */
function charactersOf(value: unknown, depth = 0): number {
	if (typeof value === "string") return value.length + 2;
	if (typeof value !== "object" || value === null) return String(value).length;
	if (depth > DEEPEST) return 2;
	const sizes = Object.entries(value).map(
		([name, field]) => charactersOf(field, depth + 1) + (Array.isArray(value) ? 1 : name.length + 4),
	);
	return sizes.reduce((sum, size) => sum + size, 2);
}

function wordsIn(value: unknown): string[] {
	if (typeof value === "string") return [value];
	return typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}
