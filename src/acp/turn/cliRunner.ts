import { untilAborted } from "../../base/jobs/untilAborted.ts";
import type { AgentEvent, Runner } from "../../core/agent/agentEvent.ts";
import { runTurn, type TurnRules } from "./cliTurn.ts";
import { createEventQueue } from "./eventQueue.ts";
import type { TurnPlace } from "./turnPlace.ts";

export interface CliRunnerDeps extends TurnRules {
	/** The turn's session, started or loaded if it is not open. Reports the progress. */
	openSession(report: (text: string) => void): Promise<TurnPlace>;
	/** Hears of each event before it is shown. */
	onEvent?(event: AgentEvent): void;
}

export function createCliRunner({ openSession, onEvent, ...deps }: CliRunnerDeps): Runner {
	return async function* run(request, signal) {
		const events = createEventQueue<AgentEvent>();
		const left = new AbortController();
		const either = AbortSignal.any([signal, left.signal]);
		const show = (...shown: readonly AgentEvent[]) => {
			for (const event of shown) onEvent?.(event);
			events.push(...shown);
		};
		const turn = async () => {
			// A session that is opened in vain stays open for the next question.
			const place = await untilAborted(
				openSession((text) => show({ kind: "progress", text })),
				either,
			);
			await runTurn({ ...deps, ...place }, request, either, show);
		};
		void turn().then(events.end, (thrown: unknown) => events.fail(signal.aborted ? signal.reason : thrown));
		try {
			yield* events;
		} finally {
			// Whoever does not look any more wants no more of it.
			left.abort();
		}
	};
}
