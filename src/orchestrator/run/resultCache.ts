import { createBoundedMap } from "../../base/jobs/boundedMap.ts";
import type { AskedStep } from "../../core/agent/agentEvent.ts";
import type { StepResult } from "./stepResult.ts";

/** Caches results of read-only steps until any file changes. */
export type ResultCache = ReturnType<typeof createResultCache>;

const MOST_RESULTS = 200;

/** Evicts the least recently used result if the cache is full. */
export function createResultCache() {
	const empty = () => createBoundedMap<string, StepResult>(MOST_RESULTS);
	let results = empty();
	return {
		open: (request: AskedStep) => {
			const opened = results;
			// The prompt includes the results of earlier steps.
			const { agent, prompt, scope } = request;
			const key = JSON.stringify([agent.name, agent.source.hash, scope.tools ?? null, prompt]);
			const found = opened.get(key);
			const keep = (result: StepResult) => opened.set(key, result);
			if (found) keep(found);
			return { found, keep };
		},
		/** Call this after files change, and when the user wants to run everything again. */
		clear: () => {
			results = empty();
		},
	};
}
