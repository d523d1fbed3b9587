import { isActing, type PluginCommand } from "../../core/plugin/plugin.ts";

/** Whether a command only reads what the caller may see. */
export function onlyReads({ executor }: Pick<PluginCommand, "executor">): boolean {
	return !isActing(executor);
}
