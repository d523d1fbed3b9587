import type { ConfigValue, PluginDefinition, PluginRegistry } from "../../core/plugin/plugin.ts";
import { effectiveConfig } from "../manifest/config.ts";

/** Values that the user sets while the program runs: they override all others and are not stored. */
export type SessionConfig = ReturnType<typeof createSessionConfig>;

export function createSessionConfig() {
	const values = new Map<string, readonly Pick<ConfigValue, "path" | "value">[]>();
	let last: { readonly found: PluginRegistry; readonly result: PluginRegistry } | undefined;
	const apply = (plugin: PluginDefinition): PluginDefinition => {
		const layers = (values.get(plugin.name) ?? []).map(({ path, value }) => ({
			origin: "session" as const,
			// A mapping for each name of the path.
			config: Object(path.reduceRight((inner: unknown, name) => ({ [name]: inner }), value)),
		}));
		return layers.length === 0 ? plugin : { ...plugin, config: effectiveConfig(layers, plugin.config) };
	};
	return {
		set: (plugin: string, path: readonly string[], value: unknown) => {
			values.set(plugin, [...(values.get(plugin) ?? []), { path, value }]);
			last = undefined;
		},
		reset: (plugin: string) => {
			values.delete(plugin);
			last = undefined;
		},
		/** The plugins with these values; the same object if neither has changed. */
		over: (found: PluginRegistry) => {
			if (values.size === 0) return found;
			if (last?.found !== found) last = { found, result: { ...found, plugins: found.plugins.map(apply) } };
			return last.result;
		},
	};
}
