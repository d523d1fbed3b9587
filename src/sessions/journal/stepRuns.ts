import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { JournalEntry } from "../../core/session/journalEntry.ts";
import type { StepRun } from "../../core/session/session.ts";

type Happened = Pick<Extract<JournalEntry, { kind: "event" }>, "at" | "event">;
type Changes = { -readonly [Key in keyof StepRun]?: StepRun[Key] | undefined };

/** The steps of a chain as they were tried, from what a turn's journal says of them. */
export function stepRunsOf(happened: readonly Happened[]): StepRun[] {
	const runs: StepRun[] = [];
	const counted: number[] = [];
	for (const { at, event } of happened) {
		const { step } = event;
		if (step === undefined) continue;
		const last = runs.findLast((run) => run.step === step);
		if (event.kind === "stepStarted" && last?.attempt !== event.attempt)
			runs.push(beginningOf(step, event.agent, { attempt: event.attempt, at }));
		const index = runs.findLastIndex((run) => run.step === step);
		const run = runs[index];
		if (!run) continue;
		const tokens = (counted[index] ?? 0) + tokensIn(event);
		counted[index] = tokens;
		runs[index] = withChanges(run, { heardAt: at, ...changesBy(event, tokens, at) });
	}
	return runs;
}

function tokensIn(event: AgentEvent): number {
	return event.kind === "usage" ? event.inputTokens + event.outputTokens : 0;
}

function beginningOf(
	step: string,
	agent: string,
	{ attempt, at }: { readonly attempt: number; readonly at: number },
): StepRun {
	return { step, agent, attempt, startedAt: at, heardAt: at, tokens: 0 };
}

/** Before an engine has counted, what its model was given stands in. */
function changesBy(event: AgentEvent, counted: number, at: number): Changes {
	switch (event.kind) {
		case "stepStarted":
			// It is told again when its session is known.
			return event.session === undefined ? {} : { session: event.session };
		case "toolStarted":
			return { tool: event.call.name };
		case "toolFinished":
			return { tool: undefined };
		case "usage":
			return { tokens: counted };
		case "window":
			return { tokens: Math.max(counted, event.usedTokens) };
		case "stepFinished":
			return { tool: undefined, ended: { at, outcome: event.outcome, text: event.text } };
		default:
			return {};
	}
}

/** Plain data crosses the pipe: what is not there any more has no field. */
function withChanges(run: StepRun, changes: Changes): StepRun {
	const changed = Object.entries({ ...run, ...changes }).filter(([, value]) => value !== undefined);
	return Object.fromEntries(changed) as unknown as StepRun;
}
