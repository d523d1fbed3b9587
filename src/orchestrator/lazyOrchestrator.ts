import { lateMethods } from "../base/jobs/once.ts";
import type { Orchestrator } from "./orchestrator.ts";

/** An orchestrator that is made by its first use. */
export function lazyOrchestrator(open: () => Promise<Orchestrator>): Omit<Orchestrator, "replan"> {
	return lateMethods(open, "agents", "chain", "judge", "plan", "remember", "run");
}
