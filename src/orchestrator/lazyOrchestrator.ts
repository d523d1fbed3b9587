import { lateMethods } from "../base/jobs/once.ts";
import type { Orchestrator } from "./orchestrator.ts";

export function lazyOrchestrator(open: () => Promise<Orchestrator>): Omit<Orchestrator, "replan"> {
	return lateMethods(open, "agents", "chain", "judge", "plan", "remember", "run");
}
