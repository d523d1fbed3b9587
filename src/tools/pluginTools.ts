import type { Tool } from "../core/agent/tool.ts";
import type { PluginCommand, PluginDefinition, PluginFiles, PluginRegistry } from "../core/plugin/plugin.ts";
import { type CommandTools, createCommandTool } from "./pluginCommand.ts";

/** The commands of all plugins, as tools for one door. */
export interface PluginTools {
	/** Those that may be called now. */
	list(signal: AbortSignal): Promise<readonly Tool[]>;
}

/** Where plugins come from, and whether they may run here. */
export interface PluginPlace extends Pick<PluginFiles, "registry"> {
	/** Throws, or rejects with, a `Failure` that says why a command may not run. */
	requireRun(plugin: PluginDefinition, command: PluginCommand): void | Promise<void>;
	/** Told of each call of a command; absent where nobody looks. */
	onRun?(command: string, error: string | undefined): void;
}

export function createPluginTools({ registry, ...place }: PluginPlace, own: CommandTools): PluginTools {
	let last: { readonly found: PluginRegistry; readonly tools: readonly Tool[] } | undefined;
	return {
		list: async (signal) => {
			const found = await registry(signal);
			// Their schemas are made once for what files say.
			if (last?.found === found) return last.tools;
			const tools = found.plugins
				.filter((plugin) => !plugin.isDisabled)
				.flatMap((plugin) =>
					plugin.commands.map((command) => createCommandTool(plugin, command, { ...place, tools: own })),
				);
			last = { found, tools };
			return tools;
		},
	};
}
