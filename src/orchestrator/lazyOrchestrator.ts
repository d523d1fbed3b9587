import type { Orchestrator } from "./orchestrator.ts";

/** An orchestrator that is made by its first use. */
export function lazyOrchestrator(open: () => Promise<Orchestrator>): Omit<Orchestrator, "replan"> {
	return {
		agents: async (...given) => (await open()).agents(...given),
		chain: async (...given) => (await open()).chain(...given),
		judge: async (...given) => (await open()).judge(...given),
		plan: async (...given) => (await open()).plan(...given),
		remember: async (...given) => (await open()).remember(...given),
		run: async (...given) => (await open()).run(...given),
	};
}
