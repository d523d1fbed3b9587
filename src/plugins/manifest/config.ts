import { rememberLast } from "../../base/jobs/lazily.ts";
import { isRecord } from "../../base/values.ts";
import type {
	ConfigOrigin,
	ConfigValue,
	PluginDefinition,
	PluginRegistry,
} from "../../core/plugin/plugin.ts";

export interface ConfigLayer {
	readonly origin: ConfigOrigin;
	readonly config: Readonly<Record<string, unknown>>;
}

const MAX_VALUES = 500;
const MAX_DEPTH = 20;

/** Merges layers of configuration, the strongest last, and records the origin of each value. */
export function effectiveConfig(layers: readonly ConfigLayer[], lowest: readonly ConfigValue[] = []) {
	return layers.reduce((below, { config, origin }) => {
		const own = valuesIn(config, [], origin).slice(0, MAX_VALUES);
		// A mapping and a value replace each other completely.
		const isReplaced = ({ path }: ConfigValue) =>
			own.some((value) => isWithin(path, value.path) || isWithin(value.path, path));
		return [...below.filter((value) => !isReplaced(value)), ...own];
	}, lowest);
}

function valuesIn(value: unknown, path: readonly string[], origin: ConfigOrigin): ConfigValue[] {
	if (!isRecord(value) || path.length >= MAX_DEPTH || Object.keys(value).length === 0)
		return path.length === 0 ? [] : [{ path, value, origin }];
	return Object.entries(value).flatMap(([name, item]) => valuesIn(item, [...path, name], origin));
}

function isWithin(path: readonly string[], outer: readonly string[]): boolean {
	return outer.every((name, index) => path[index] === name);
}

/** Values that the user sets for the current process: they override all others and are not saved. */
export function createSessionConfig(onChange: () => void) {
	const values = new Map<string, readonly Pick<ConfigValue, "path" | "value">[]>();
	let changes = 0;
	const apply = (plugin: PluginDefinition): PluginDefinition => {
		const layers = (values.get(plugin.name) ?? []).map(({ path, value }) => ({
			origin: "session" as const,
			config: Object(path.reduceRight((inner: unknown, name) => ({ [name]: inner }), value)),
		}));
		return layers.length === 0 ? plugin : { ...plugin, config: effectiveConfig(layers, plugin.config) };
	};
	const overAll = rememberLast((found: PluginRegistry, _changes: number) => {
		return { ...found, plugins: found.plugins.map(apply) };
	});
	const changed = () => {
		changes++;
		onChange();
	};
	return {
		set: (plugin: string, path: readonly string[], value: unknown) => {
			values.set(plugin, [...(values.get(plugin) ?? []), { path, value }]);
			changed();
		},
		reset: (plugin: string) => {
			values.delete(plugin);
			changed();
		},
		over: (found: PluginRegistry) => (values.size === 0 ? found : overAll(found, changes)),
	};
}
