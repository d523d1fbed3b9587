import type { PinnedTool } from "../../core/agent/tool.ts";
import type { PluginRegistry } from "../../core/plugin/plugin.ts";
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
	const make = async (signal: AbortSignal): Promise<MadeTools> => {
		const found = await registry(signal);
		// Their schemas are made once for what files say.
		if (last?.found === found) return last;
		const others = async (until: AbortSignal) => (await make(until)).all;
		const parts = { ...place, tools: own, others };
		const made = found.plugins
			.filter((plugin) => !plugin.isDisabled)
			.map((plugin) => ({
				isInner: plugin.within !== undefined,
				tools: plugin.commands.map((command) => createCommandTool(plugin, command, parts)),
			}));
		const offered = made.filter(({ isInner }) => !isInner).flatMap(({ tools }) => tools);
		last = { found, offered, all: made.flatMap(({ tools }) => tools) };
		return last;
	};
	let last: MadeTools | undefined;
	return { forget: () => place.forget?.(), list: async (signal) => (await make(signal)).offered };
}

interface MadeTools {
	readonly found: PluginRegistry;
	/** Without what only a copilot may call. */
	readonly offered: readonly PinnedTool[];
	readonly all: readonly PinnedTool[];
}
