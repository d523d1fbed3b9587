import { type AnyMessage, methods, type Stream } from "@agentclientprotocol/sdk";
import type { Facts, Recorder } from "../../base/traces/recorder.ts";
import { fieldOf, numberOf, textOf } from "../../base/values.ts";

type Direction = "in" | "out";

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
	const note = createMeter(recorder);
	const writer = stream.writable.getWriter();
	const incoming = new TransformStream<AnyMessage, AnyMessage>({
		transform: (message, controller) => {
			note(message, "in");
			controller.enqueue(message);
		},
	});
	const writable = new WritableStream<AnyMessage>({
		write: (message) => {
			note(message, "out");
			return writer.write(message);
		},
		close: () => writer.close(),
		abort: (reason) => writer.abort(reason),
	});
	return { readable: stream.readable.pipeThrough(incoming), writable };
}

const ABOUT = { namespace: "cli", level: "debug" } as const;

type Call = Extract<AnyMessage, { readonly method: string }>;
type Answer = Exclude<AnyMessage, Call>;

function createMeter(recorder: Recorder) {
	const pending = new Map<string, { readonly method: string; readonly since: number }>();
	const noteCall = (message: Call, direction: Direction, facts: Facts) => {
		const method = METHODS.has(message.method) ? message.method : "other";
		if (!("id" in message) || message.id === undefined) {
			const told = { ...facts, method, ...updateOf(message.params) };
			recorder.tally({ ...ABOUT, event: "acp notification", facts: told });
			return;
		}
		pending.set(`${direction} ${message.id}`, { method, since: performance.now() });
		const [oldest] = pending.keys();
		if (pending.size > MOST_PENDING && oldest !== undefined) pending.delete(oldest);
		recorder.note({ ...ABOUT, event: "acp request", facts: { ...facts, method, ...idOf(message.id) } });
	};
	/** An answer goes the other way than its request. */
	const noteAnswer = (message: Answer, direction: Direction, facts: Facts) => {
		const key = `${direction === "in" ? "out" : "in"} ${message.id}`;
		const request = pending.get(key);
		pending.delete(key);
		const error = fieldOf(message, "error");
		const outcome = error === undefined ? "done" : `${numberOf(error, "code") ?? "failed"}`;
		const took = request && { ms: Math.round(performance.now() - request.since) };
		const told = { ...facts, method: request?.method ?? "other", outcome, ...took, ...idOf(message.id) };
		recorder.note({
			...ABOUT,
			level: error === undefined ? "debug" : "warn",
			event: "acp answer",
			facts: told,
		});
	};
	return (message: AnyMessage, direction: Direction) => {
		const facts = { direction, characters: charactersOf(message) };
		if ("method" in message) noteCall(message, direction, facts);
		else noteAnswer(message, direction, facts);
	};
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
