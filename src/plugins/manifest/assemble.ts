import { compareTexts } from "../../base/text/compareTexts.ts";
import type { FileProblem } from "../../core/fileProblem.ts";
import type { PluginDefinition, PluginHook, PluginRegistry, PluginSource } from "../../core/plugin/plugin.ts";
import type { Place } from "../types/readType.ts";
import { type ConfigLayer, effectiveConfig } from "./config.ts";
import type { ConfigFile } from "./configFile.ts";
import { compareVersions, type PluginManifest, type ReadManifest } from "./readManifest.ts";

export interface FoundManifest extends ReadManifest {
	readonly source: PluginSource;
	readonly fingerprint?: string;
}

type Plugins = readonly PluginDefinition[];
type Configs = readonly ConfigFile[];
type Usable = FoundManifest & { readonly manifest: PluginManifest };

/** Picks the first plugin of each name, and the best version of each component. Later configs win. */
export function assemble(files: readonly FoundManifest[], configs: Configs): PluginRegistry {
	const problems: FileProblem[] = [...files, ...configs].flatMap((file) => file.problems);
	const byName = new Map<string, Usable>();
	const usable = files.filter((file): file is Usable => file.manifest !== undefined);
	// Guards come first: no plugin of an opened folder may take the name of a guard.
	for (const file of usable.toSorted(guardsFirst)) {
		const { name } = file.manifest;
		const first = byName.get(name);
		if (first)
			problems.push(problem(file, [], `The name “${name}” belongs to ${pathOf(first)}, which comes first.`));
		else byName.set(name, file);
	}
	const { chosen, superseded } = newestOf([...byName.values()]);
	const plugins = chosen.map((file) => define(file, configs)).flatMap(withInner);
	const more = instancesOf(plugins, configs);
	const all = [...plugins, ...more.plugins];
	const free = new Set(all.filter(({ within }) => within === undefined).map(({ name }) => name));
	problems.push(
		...superseded,
		...more.problems,
		...unknownNames(new Set([...byName.keys(), ...all.map(({ name }) => name)]), configs),
		...chosen.flatMap((file) => absentPlugins(file, free)),
	);
	return { plugins: all, problems: problems.sort((a, b) => compareTexts(a.uri, b.uri) || a.line - b.line) };
}

function problem(
	{ source: { uri }, lineOf }: Usable,
	place: Place,
	message: string,
	severity: FileProblem["severity"] = "error",
): FileProblem {
	return { uri, line: lineOf(place), severity, message };
}

function supersededBy(file: Usable, other: Usable): FileProblem {
	const path = pathOf(other);
	const { version } = other.manifest;
	const newer = `${path} is version ${version} of this component: this one is not offered.`;
	if (version !== file.manifest.version) return problem(file, ["version"], newer, "warning");
	const what = `${path} is the same component with the same id. Give this one a config with a different id.`;
	return problem(file, ["artifact_id"], what);
}

function guardsFirst({ manifest: one, source }: Usable, { manifest: other, source: from }: Usable): number {
	return Number(isGuard(from, other.hooks)) - Number(isGuard(source, one.hooks));
}

/** Whether a user's plugin may refuse calls, so that a folder's configuration must not disable it. */
function isGuard({ level }: PluginSource, hooks: readonly PluginHook[]): boolean {
	return level === "user" && hooks.some(({ denyWhen }) => denyWhen !== undefined);
}

function pathOf({ source }: Usable): string {
	return decodeURIComponent(source.uri.split("/").slice(-2).join("/"));
}

function newestOf(files: readonly Usable[]) {
	const groups = Map.groupBy(files, ({ manifest: { groupId, artifactId, instance } }) =>
		JSON.stringify([groupId, artifactId, instance]),
	);
	const sorted = [...groups.values()].map((group) =>
		group.toSorted((a, b) => guardsFirst(a, b) || compareVersions(a.manifest.version, b.manifest.version)),
	);
	const best = new Set(sorted.map(([first]) => first));
	const superseded = sorted.flatMap(([first, ...others]) =>
		others.map((file) => supersededBy(file, first as Usable)),
	);
	return { chosen: files.filter((file) => best.has(file)), superseded };
}

function define({ manifest, source, fingerprint, lineOf }: Usable, configs: Configs): PluginDefinition {
	const { promptFile: _, shared: __, config, commands, ...rest } = manifest;
	return {
		...rest,
		commands: commands.map(({ place, placeOf: _place, ...command }) => ({ ...command, line: lineOf(place) })),
		config: effectiveConfig([{ origin: "plugin", config }, ...layersOf(rest.name, configs)]),
		isDisabled: isDisabledIn(configs, rest.name, isGuard(source, rest.hooks)),
		source,
		...(fingerprint !== undefined && { fingerprint }),
	};
}

/** Offers the plugins in a copilot's folder only to that copilot. */
function withInner(plugin: PluginDefinition, _: number, all: Plugins): Plugins {
	if (plugin.within !== undefined) {
		const outer = all.find((one) => isInFolderOf(plugin, one));
		return outer ? [{ ...plugin, agreedWith: { uri: outer.source.uri, instance: outer.instance } }] : [];
	}
	const inner = all.filter(({ within }) => within !== undefined);
	const own = inner.filter((one) => isInFolderOf(one, plugin)).map(({ name }) => name);
	const isFree = (name: string) => inner.every((one) => one.name !== name);
	const commands = plugin.commands.map(({ executor, ...command }) => ({
		...command,
		executor:
			executor.kind === "prompt" && executor.plugins
				? { ...executor, plugins: [...executor.plugins.filter(isFree), ...own] }
				: executor,
	}));
	return [{ ...plugin, commands }];
}

/** Compares folders too, because a copilot in another folder may have the same name. */
function isInFolderOf({ within, source }: PluginDefinition, copilot: PluginDefinition): boolean {
	return within === copilot.name && source.uri.startsWith(new URL("plugins/", copilot.source.uri).href);
}

function layersOf(name: string, configs: Configs): ConfigLayer[] {
	return configs.map(({ level, entries }) => ({ origin: level, config: entries.get(name)?.config ?? {} }));
}

function isDisabledIn(configs: Configs, name: string, isOnlyForUser: boolean): boolean {
	const heard = isOnlyForUser ? configs.filter(({ level }) => level === "user") : configs;
	return heard.some(({ entries }) => entries.get(name)?.disabled === true);
}

function instancesOf(plugins: Plugins, configs: Configs) {
	const names = new Set(plugins.map(({ name }) => name));
	const ids = new Set(plugins.map(({ name, instance }) => JSON.stringify([name, instance])));
	const made: PluginDefinition[] = [];
	const problems: FileProblem[] = [];
	const written = plugins.flatMap((plugin) =>
		configs.flatMap((file) => {
			const { instances = [] } = file.entries.get(plugin.name) ?? {};
			return instances.map((instance, index) => ({ plugin, file, index, instance }));
		}),
	);
	for (const { plugin, file, index, instance } of written) {
		const { id, name, config = {} } = instance;
		const key = JSON.stringify([plugin.name, id]);
		const twice = ids.has(key) ? "id" : names.has(name) && "name";
		if (twice) {
			const line = file.lineOf([plugin.name, "instances", index, twice]);
			const message = `There is another plugin with the ${twice} “${instance[twice]}”.`;
			problems.push({ uri: file.uri, line, severity: "error", message });
		} else {
			const layers: ConfigLayer[] = [{ origin: file.level, config }, ...layersOf(name, configs)];
			const isDisabled =
				plugin.isDisabled || isDisabledIn(configs, name, isGuard(plugin.source, plugin.hooks));
			const own = { name, instance: id, config: effectiveConfig(layers, plugin.config), isDisabled };
			made.push({ ...plugin, ...own });
		}
		ids.add(key);
		names.add(name);
	}
	return { plugins: made, problems };
}

function unknownNames(known: ReadonlySet<string>, configs: Configs): FileProblem[] {
	return configs.flatMap(({ uri, entries, lineOf }) =>
		Array.from(new Set(entries.keys()).difference(known), (name): FileProblem => {
			const message = `There is no plugin “${name.slice(0, 80)}”, or it has errors.`;
			return { uri, line: lineOf([name]), severity: "warning", message };
		}),
	);
}

function absentPlugins(file: Usable, known: ReadonlySet<string>): FileProblem[] {
	const names = file.manifest.commands.flatMap(({ executor }) =>
		executor.kind === "prompt" ? (executor.plugins ?? []) : [],
	);
	return names.flatMap((name, index) => {
		const message = `There is no plugin “${name}”, or it has errors. The copilot works without it.`;
		return known.has(name) ? [] : [problem(file, ["plugins", index], message, "warning")];
	});
}
