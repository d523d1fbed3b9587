import { isActing, type PluginCommand, type PluginDefinition } from "../../core/plugin/plugin.ts";

/** Whether anything of a plugin waits until the person agrees to it. */
export function needsConsent({ commands, hooks }: Pick<PluginDefinition, "commands" | "hooks">): boolean {
	return hooks.length > 0 || !commands.every(onlyReads);
}

/** Whether a command only reads what the caller may see. */
export function onlyReads({ executor }: Pick<PluginCommand, "executor">): boolean {
	return !isActing(executor);
}
