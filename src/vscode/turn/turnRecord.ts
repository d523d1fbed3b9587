import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { ContextReport } from "../../core/agent/contextReport.ts";
import type { Turn } from "../../core/agent/message.ts";
import { citationsOf, isQuoted, wordsOf } from "../../core/agent/turnAnswer.ts";
import type { Citation } from "../../core/knowledge/citation.ts";
import { followupsOf } from "./followups.ts";

/** What a turn leaves in the chat's own history. JSON: it comes back as plain data. */
export interface TurnRecord {
	readonly sessionId: string;
	/** Of a turn that resumed the session: how many turns of its journal come before this chat's. */
	readonly resumedTurns?: number;
	/** Of a turn that resumed a session of the Copilot CLI, which has no journal: the last of what was said in it. */
	readonly told?: readonly Turn[];
	/** Of a turn that resumed a session: what the Copilot CLI does not know of it. */
	readonly unseenByCli?: readonly Turn[];
	/** Whether the answer is a message of our own, which has no sources to be compared with. */
	readonly isOurs?: boolean;
	/** Whether no language model wrote the answer: later models do not get it as words of their own. */
	readonly isQuoted?: boolean;
	/** Markdown with citations in brackets. */
	readonly answer: string;
	readonly citations: readonly Citation[];
	readonly tools: readonly { readonly name: string; readonly input: unknown; readonly ok: boolean }[];
	/** Questions that could come next. */
	readonly followups: readonly string[];
	/** What the model was given in its last request; absent where none was asked. */
	readonly context?: ContextReport;
}

/** Keeps the events of a turn; `current` is true at any time, also of a turn cut short. */
export function recordTurn(
	sessionId: string,
	question = "",
): { note(event: AgentEvent): void; current(): TurnRecord } {
	const events: AgentEvent[] = [];
	return {
		// What a step of a chain says goes into the answer of its own session, and what a plugin calls into its result.
		note: (event) => void (isOwn(event) && events.push(event)),
		current: () => toRecord({ sessionId, question }, events),
	};
}

function isOwn({ step, within }: AgentEvent): boolean {
	return step === undefined && within === undefined;
}

function toRecord(
	{ sessionId, question }: { readonly sessionId: string; readonly question: string },
	events: readonly AgentEvent[],
): TurnRecord {
	const hits = events.flatMap((event) => (event.kind === "retrieved" ? event.hits : []));
	const context = events.findLast((event) => event.kind === "context")?.report;
	const answer = events.map(wordsOf).join("");
	return {
		sessionId,
		answer,
		citations: citationsOf(events),
		tools: events.flatMap((event) =>
			event.kind === "toolFinished" ? [{ name: event.call.name, input: event.call.input, ok: event.ok }] : [],
		),
		followups: followupsOf(question, answer, hits),
		...(context && { context }),
		...(isQuoted(events) && { isQuoted: true }),
	};
}
