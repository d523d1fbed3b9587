import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { type Envelope, type Party, partyCalled } from "../../core/session/envelope.ts";
import { ENGINE_NAMES, type Engine } from "../../core/session/journalEntry.ts";

/** Who says what to whom in one turn. */
export interface Envelopes {
	question(): Envelope;
	answer(): Envelope;
	/** Of a call and its reply; `undefined` for what is said to nobody. */
	of(event: AgentEvent): Envelope | undefined;
}

/** Who asks, and who answers. */
export type Parties = readonly [asker: Party, answerer: Party];

/** Those of a chat. */
export function partiesOf(engine: Engine): Parties {
	return [USER, { role: "cerebrum", id: engine, name: ENGINE_NAMES[engine] }];
}

const USER: Party = { role: "user", id: "user", name: "" };

/** The one who answers is who calls meanwhile. */
export function createEnvelopes([asker, answerer]: Parties): Envelopes {
	const thread = crypto.randomUUID();
	const asked = (): Envelope => message(thread, asker, answerer, "text/plain");
	return {
		question: asked,
		answer: () => ({ ...replyTo(asked()), contentType: "text/markdown" }),
		of: (event) => {
			if (event.kind !== "toolStarted" && event.kind !== "toolFinished") return undefined;
			const call = message(threadOf(event), callerOf(event, answerer), partyCalled(event.call), "command");
			return event.kind === "toolStarted" ? call : replyTo(call);
		},
	};
}

function message(thread: string, sender: Party, receiver: Party, contentType: string): Envelope {
	return { id: crypto.randomUUID(), thread, sender, receiver, contentType };
}

function replyTo({ sender, receiver, ...call }: Envelope): Envelope {
	return { ...call, id: crypto.randomUUID(), sender: receiver, receiver: sender };
}

/** The ids of calls are of the model, and need not tell those of one step from those of another. */
function threadOf({ step, call }: CallEvent): string {
	return [step, call.id].filter((part) => part !== undefined && part !== "").join("/") || "call";
}

type CallEvent = Extract<AgentEvent, { readonly kind: "toolStarted" | "toolFinished" }>;

/** A copilot that a plugin is calls for itself, and so does a step of a chain. */
function callerOf({ step, within }: CallEvent, cerebrum: Party): Party {
	if (within !== undefined) return { role: "plugin", id: within, name: within };
	return step === undefined ? cerebrum : { role: "cerebrum", id: step, name: step };
}
