import type { Executor, PluginCommand } from "../../core/plugin/plugin.ts";

/** What is not named here may do more: so does whatever comes later. */
const READING: ReadonlySet<Executor["kind"]> = new Set(["sparql", "retrieval", "prompt"]);

/** Whether a command only reads what the caller may see. */
export function onlyReads({ executor }: Pick<PluginCommand, "executor">): boolean {
	return READING.has(executor.kind);
}
