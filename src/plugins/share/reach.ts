import { isActing, type PluginDefinition } from "../../core/plugin/plugin.ts";

/** Whether a plugin, or a plugin in its folder, requires consent. */
export function needsConsent(plugin: PluginDefinition, all: readonly PluginDefinition[]): boolean {
	return [plugin, ...pluginsInFolderOf(plugin, all)].some(
		({ commands, hooks }) => hooks.length > 0 || commands.some(({ executor }) => isActing(executor)),
	);
}

export function pluginsInFolderOf({ source }: PluginDefinition, all: readonly PluginDefinition[]) {
	return all.filter((one) => one.agreedWith?.uri === source.uri);
}

/** The copilot whose consent covers a plugin; `undefined` if it is not inside of a copilot. */
export function agreedWith({ agreedWith: outer }: PluginDefinition, all: readonly PluginDefinition[]) {
	return outer && all.find(({ source, instance }) => source.uri === outer.uri && instance === outer.instance);
}
