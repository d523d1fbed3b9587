import { type AnyMessage, methods, type Stream } from "@agentclientprotocol/sdk";
import type { Facts, Recorder } from "../../base/traces/recorder.ts";
import { fieldOf, numberOf, textOf } from "../../base/values.ts";

type Direction = "in" | "out";

/** The most unanswered requests that we keep track of. */
const MOST_PENDING = 1000;

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

/** Passes messages through, noting their kind and duration but nothing of what they say. */
export function meterMessages(stream: Stream, recorder: Recorder): Stream {
	const note = createMeter(recorder);
	const noting = (direction: Direction) =>
		new TransformStream<AnyMessage, AnyMessage>({
			transform: (message, controller) => {
				note(message, direction);
				controller.enqueue(message);
			},
		});
	const outgoing = noting("out");
	// If the other side is gone, its reader tells.
	outgoing.readable.pipeTo(stream.writable).catch(() => undefined);
	return { readable: stream.readable.pipeThrough(noting("in")), writable: outgoing.writable };
}

const ABOUT = { namespace: "cli", level: "debug" } as const;

type Call = Extract<AnyMessage, { readonly method: string }>;
type Answer = Exclude<AnyMessage, Call>;

function createMeter(recorder: Recorder) {
	const pending = new Map<string, { readonly method: string; readonly since: number }>();
	const noteCall = (message: Call, direction: Direction) => {
		const method = METHODS.has(message.method) ? message.method : "other";
		const facts = { direction, method };
		if (!("id" in message) || message.id === undefined) {
			const told = { ...facts, ...updateOf(message.params) };
			recorder.tally({ ...ABOUT, event: "acp notification", facts: told });
			return;
		}
		pending.set(`${direction} ${message.id}`, { method, since: performance.now() });
		const [oldest] = pending.keys();
		if (pending.size > MOST_PENDING && oldest !== undefined) pending.delete(oldest);
		recorder.note({ ...ABOUT, event: "acp request", facts });
	};
	/** An answer goes the other way than its request. */
	const noteAnswer = (message: Answer, direction: Direction) => {
		const key = `${direction === "in" ? "out" : "in"} ${message.id}`;
		const request = pending.get(key);
		pending.delete(key);
		const error = fieldOf(message, "error");
		const outcome = error === undefined ? "done" : `${numberOf(error, "code") ?? "failed"}`;
		const took = request && { ms: Math.round(performance.now() - request.since) };
		const facts = { direction, method: request?.method ?? "other", outcome, ...took };
		recorder.note({ ...ABOUT, level: error === undefined ? "debug" : "warn", event: "acp answer", facts });
	};
	return (message: AnyMessage, direction: Direction) =>
		"method" in message ? noteCall(message, direction) : noteAnswer(message, direction);
}

function updateOf(params: unknown): Facts {
	const update = textOf(fieldOf(params, "update"), "sessionUpdate");
	if (update === undefined) return {};
	return { update: UPDATES.has(update) ? update : "other" };
}

function wordsIn(value: unknown): string[] {
	if (typeof value === "string") return [value];
	return typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}
