import type { PinnedTool } from "../core/agent/tool.ts";
import type { PluginRegistry } from "../core/plugin/plugin.ts";
import { type CommandTools, createCommandTool } from "./pluginCommand.ts";
import type { PluginPlace } from "./pluginPlace.ts";

/** The commands of all plugins, as tools for one door. */
export interface PluginTools {
	/** Those that may be called now. */
	list(signal: AbortSignal): Promise<readonly PinnedTool[]>;
	/** Has the next list made of the files as they are: that one was written is sometimes told late. */
	forget(): void;
}

export function createPluginTools({ registry, ...place }: PluginPlace, own: CommandTools): PluginTools {
	const list = async (signal: AbortSignal): Promise<readonly PinnedTool[]> => {
		const found = await registry(signal);
		// Their schemas are made once for what files say.
		if (last?.found === found) return last.tools;
		const parts = { ...place, tools: own, others: list };
		const tools = found.plugins
			.filter((plugin) => !plugin.isDisabled)
			.flatMap((plugin) => plugin.commands.map((command) => createCommandTool(plugin, command, parts)));
		last = { found, tools };
		return tools;
	};
	let last: { readonly found: PluginRegistry; readonly tools: readonly PinnedTool[] } | undefined;
	return { forget: () => place.forget?.(), list };
}
