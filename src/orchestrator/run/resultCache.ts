import { createBoundedMap } from "../../base/jobs/boundedMap.ts";
import type { AskedStep } from "../../core/agent/agentEvent.ts";
import type { StepResult } from "./stepResult.ts";

/** Results of steps that only read, for as long as nothing that they could have read has changed. */
export type ResultCache = ReturnType<typeof createResultCache>;

const MOST_RESULTS = 200;

/** The one that was not used for the longest time makes room. */
export function createResultCache() {
	const empty = () => createBoundedMap<string, StepResult>(MOST_RESULTS);
	let results = empty();
	return {
		open: (request: AskedStep) => {
			const opened = results;
			// The prompt holds the context of the steps before.
			const { agent, prompt, scope } = request;
			const key = JSON.stringify([agent.name, agent.source.hash, scope.tools ?? null, prompt]);
			const found = opened.get(key);
			const keep = (result: StepResult) => opened.set(key, result);
			if (found) keep(found);
			return { found, keep };
		},
		/** Called after a change of files, and when the user wants to run everything again. */
		clear: () => {
			results = empty();
		},
	};
}
