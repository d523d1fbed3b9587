import type { FileProblem } from "../../core/fileProblem.ts";
import type { PluginDefinition, PluginRegistry, PluginSource } from "../../core/plugin/plugin.ts";
import type { Place } from "../types/located.ts";
import { type ConfigLayer, effectiveConfig } from "./config.ts";
import type { ConfigFile } from "./configFile.ts";
import type { PluginManifest, ReadManifest } from "./readManifest.ts";
import { compareVersions } from "./version.ts";

export interface FoundManifest extends ReadManifest {
	readonly source: PluginSource;
	readonly fingerprint?: string;
}

type Usable = FoundManifest & { readonly manifest: PluginManifest };

/**
 * The plugins of all files: the first of each name, and of each component the preferred version. The last of the
 * configurations has precedence.
 */
export function assemble(files: readonly FoundManifest[], configs: readonly ConfigFile[]): PluginRegistry {
	const problems: FileProblem[] = [...files, ...configs].flatMap((file) => file.problems);
	const byName = new Map<string, Usable>();
	const usable = files.filter((file) => file.manifest !== undefined) as Usable[];
	for (const file of [...usable.filter(isGuard), ...usable]) {
		if (byName.get(file.manifest.name) === file) continue;
		const { name } = file.manifest;
		const first = byName.get(name);
		if (first)
			problems.push(problem(file, [], `The name “${name}” belongs to ${pathOf(first)}, which comes first.`));
		else byName.set(name, file);
	}
	const chosen = newestOf([...byName.values()], (file, other) => problems.push(supersededBy(file, other)));
	const plugins = chosen.map((file) => define(file, configs)).flatMap(withInner);
	const more = instancesOf(plugins, configs);
	const all = [...plugins, ...more.plugins];
	const free = new Set(all.filter(({ within }) => within === undefined).map(({ name }) => name));
	problems.push(
		...more.problems,
		...unknownNames(new Set([...byName.keys(), ...all.map(({ name }) => name)]), configs),
		...chosen.flatMap((file) => absentPlugins(file, free)),
	);
	return { plugins: all, problems: problems.sort(byPlace) };
}

function problem(file: Usable, place: Place, message: string): FileProblem {
	return { uri: file.source.uri, line: file.lineOf(place), severity: "error", message };
}

/** Why another file of the same component is offered in place of this one. */
function supersededBy(file: Usable, other: Usable): FileProblem {
	const path = pathOf(other);
	const { version } = other.manifest;
	if (version === file.manifest.version) {
		const what = `${path} is the same component with the same id. Give this one a config with a different id.`;
		return problem(file, ["artifact_id"], what);
	}
	const what = `${path} is version ${version} of this component: this one is not offered.`;
	return { ...problem(file, ["version"], what), severity: "warning" };
}

/** A guard of the user is never hidden by a plugin in a folder that they open. */
function isGuard({ source, manifest }: Usable): boolean {
	return mayRefuse({ ...manifest, source });
}

/** What decides who may switch a plugin off. */
type Guarding = Pick<PluginDefinition, "name" | "source" | "hooks">;

function mayRefuse({ source, hooks }: Guarding): boolean {
	return source.level === "user" && hooks.some(({ denyWhen }) => denyWhen !== undefined);
}

function pathOf({ source }: Usable): string {
	return decodeURIComponent(source.uri.split("/").slice(-2).join("/"));
}

/** The best version of each component and instance; `onLeft` gets the others. */
function newestOf(files: readonly Usable[], onLeft: (file: Usable, other: Usable) => void): Usable[] {
	const groups = Map.groupBy(files, ({ manifest: { groupId, artifactId, instance } }) =>
		JSON.stringify([groupId, artifactId, instance]),
	);
	const best = new Set(
		[...groups.values()].map((group) => {
			const sorted = group.toSorted(
				(a, b) =>
					Number(isGuard(b)) - Number(isGuard(a)) || compareVersions(a.manifest.version, b.manifest.version),
			);
			const [first, ...others] = sorted;
			for (const other of others) if (first) onLeft(other, first);
			return first;
		}),
	);
	return files.filter((file) => best.has(file));
}

function define(
	{ manifest, source, fingerprint, lineOf }: Usable,
	configs: readonly ConfigFile[],
): PluginDefinition {
	const { promptFile: _, shared: __, config, commands, ...rest } = manifest;
	const { name } = rest;
	return {
		...rest,
		commands: commands.map(({ place, placeOf: _place, ...command }) => ({ ...command, line: lineOf(place) })),
		config: effectiveConfig([{ origin: "plugin", config }, ...layersOf(name, configs)]),
		isDisabled: isDisabledIn(configs, { name, source, hooks: rest.hooks }),
		source,
		...(fingerprint !== undefined && { fingerprint }),
	};
}

/** Only a copilot may call the plugins in its own folder. */
function withInner(
	plugin: PluginDefinition,
	_: number,
	all: readonly PluginDefinition[],
): PluginDefinition[] {
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

/** Another copilot of the same name is not offered, nor is what is in its folder. */
function isInFolderOf({ within, source }: PluginDefinition, copilot: PluginDefinition): boolean {
	return within === copilot.name && source.uri.startsWith(new URL("plugins/", copilot.source.uri).href);
}

function layersOf(name: string, configs: readonly ConfigFile[]): ConfigLayer[] {
	return configs.map(({ level, entries }) => ({
		origin: level,
		config: entryOf(entries, name)?.config ?? {},
	}));
}

function isDisabledIn(configs: readonly ConfigFile[], plugin: Guarding): boolean {
	const heard = mayRefuse(plugin) ? configs.filter(({ level }) => level === "user") : configs;
	return heard.some(({ entries }) => entryOf(entries, plugin.name)?.disabled === true);
}

function entryOf(entries: ConfigFile["entries"], name: string) {
	return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

function instancesOf(
	plugins: readonly PluginDefinition[],
	configs: readonly ConfigFile[],
): { readonly plugins: PluginDefinition[]; readonly problems: FileProblem[] } {
	const names = new Set(plugins.map(({ name }) => name));
	const ids = new Set(plugins.map(({ name, instance }) => JSON.stringify([name, instance])));
	const made: PluginDefinition[] = [];
	const problems: FileProblem[] = [];
	for (const { plugin, file, index, instance } of writtenInstances(plugins, configs)) {
		const id = JSON.stringify([plugin.name, instance.id]);
		const twice = ids.has(id) ? "id" : names.has(instance.name) && "name";
		if (twice) {
			const line = file.lineOf([plugin.name, "instances", index, twice]);
			const message = `There is another plugin with the ${twice} “${instance[twice]}”.`;
			problems.push({ uri: file.uri, line, severity: "error", message });
		} else made.push(instanceOf(plugin, instance, { file, configs }));
		ids.add(id);
		names.add(instance.name);
	}
	return { plugins: made, problems };
}

function writtenInstances(plugins: readonly PluginDefinition[], configs: readonly ConfigFile[]) {
	return plugins.flatMap((plugin) =>
		configs.flatMap((file) =>
			(entryOf(file.entries, plugin.name)?.instances ?? []).map((instance, index) => ({
				plugin,
				file,
				index,
				instance,
			})),
		),
	);
}

function instanceOf(
	plugin: PluginDefinition,
	{ id, name, config = {} }: ReturnType<typeof writtenInstances>[number]["instance"],
	{ file, configs }: { readonly file: ConfigFile; readonly configs: readonly ConfigFile[] },
): PluginDefinition {
	const layers: ConfigLayer[] = [{ origin: file.level, config }, ...layersOf(name, configs)];
	return {
		...plugin,
		name,
		instance: id,
		config: effectiveConfig(layers, plugin.config),
		isDisabled: plugin.isDisabled || isDisabledIn(configs, { ...plugin, name }),
	};
}

function unknownNames(known: ReadonlySet<string>, configs: readonly ConfigFile[]): FileProblem[] {
	return configs.flatMap(({ uri, entries, lineOf }) =>
		Object.keys(entries)
			.filter((name) => !known.has(name))
			.map((name): FileProblem => {
				const message = `There is no plugin “${name.slice(0, 80)}”, or it has errors.`;
				return { uri, line: lineOf([name]), severity: "warning", message };
			}),
	);
}

function absentPlugins({ manifest, source, lineOf }: Usable, known: ReadonlySet<string>): FileProblem[] {
	const names = manifest.commands.flatMap(({ executor }) =>
		executor.kind === "prompt" ? (executor.plugins ?? []) : [],
	);
	return names.flatMap((name, index): FileProblem[] => {
		const line = lineOf(["plugins", index]);
		const message = `There is no plugin “${name}”, or it has errors. The copilot works without it.`;
		return known.has(name) ? [] : [{ uri: source.uri, line, severity: "warning", message }];
	});
}

function byPlace(a: FileProblem, b: FileProblem): number {
	if (a.uri === b.uri) return a.line - b.line;
	return a.uri < b.uri ? -1 : 1;
}
