import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { messageOf } from "../../base/failure.ts";
import { isGone, readRegularFile } from "../../base/files/file.ts";
import { type FolderDigest, type FolderLook, lookAtFolder } from "../../base/files/folderFiles.ts";
import { isBelow, uriOfPath } from "../../base/files/paths.ts";
import type { FileProblem } from "../../core/fileProblem.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import { PLUGINS_FOLDER, type PluginDefinition, type PluginLevel } from "../../core/plugin/plugin.ts";
import { checkSparqlRequest } from "../../graph/sparql/sparqlRequest.ts";
import { assemble, type FoundManifest } from "../../plugins/manifest/assemble.ts";
import { queryOf } from "../../plugins/manifest/checkExecutor.ts";
import { type ConfigFile, readConfigFile } from "../../plugins/manifest/configFile.ts";
import { type OuterCopilot, type ReadManifest, readManifest } from "../../plugins/manifest/readManifest.ts";
import { agreedWith, pluginsInFolderOf } from "../../plugins/share/requireAgreed.ts";
import { realPathOf } from "../files/discover.ts";
import { errorAtStart, followOwnFolders } from "../files/sources.ts";

const FILE = "plugin.yaml";
const MAX_BYTES = 256 * 1024;
/** Number of plugins to read before the event loop gets a turn. */
const AT_ONCE = 20;

/** Each request looks at all plugins, but reads only those whose folders have changed. */
export function createPluginFiles(given: { readonly folders: readonly Folder[]; readonly home: string }) {
	const { folders, watching } = followOwnFolders(given.folders, mayHoldPlugins);
	let known: ReadonlyMap<string, ReadPlugin> = new Map();
	return {
		registry: async (signal: AbortSignal) => {
			// The first plugin with a name wins.
			const inFolders = folders().map((folder) => placeIn(folder, "workspace"));
			const places = await Promise.all([...inFolders, placeIn(given.home, "user")]);
			const spots = places.flatMap((place) =>
				place.names.map((name): Spot => ({ place, name, path: join(place.folder, name, FILE) })),
			);
			const { read, files } = await readAll(spots, known, signal);
			known = read;
			const configs = await Promise.all(places.map(readConfig));
			// Later layers win: the first folder overrides other folders, and the user overrides all folders.
			const layers = configs
				.toReversed()
				.sort((a, b) => Number(a.level === "user") - Number(b.level === "user"));
			const { plugins, problems } = assemble(files, layers);
			return {
				plugins: plugins.map(withFingerprint).map(withOuterFingerprint),
				problems: [...places.flatMap(tooMany), ...problems],
			};
		},
		...watching,
	};
}

/** Plugins in the folder of a copilot come after all other plugins. */
async function readAll(spots: readonly Spot[], known: ReadonlyMap<string, ReadPlugin>, signal: AbortSignal) {
	const read = new Map<string, ReadPlugin>();
	const take = (spot: Spot, files: FoundManifest[]): Spot[] => {
		const seen = readPlugin(spot, known.get(spot.path));
		if (!seen) return [];
		read.set(spot.path, seen.plugin);
		const { read: definition, folder } = seen.plugin;
		const source = { uri: uriOfPath(spot.path), level: spot.place.level };
		files.push({ ...definition, source, ...(folder && { fingerprint: folder.digest }) });
		return spotsWithin(spot, seen);
	};
	const files: FoundManifest[] = [];
	const within: FoundManifest[] = [];
	for (const [index, spot] of spots.entries()) {
		if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
		signal.throwIfAborted();
		for (const inner of take(spot, files)) take(inner, within);
	}
	return { read, files: [...files, ...within] };
}

function mayHoldPlugins(path: string): boolean {
	const parts = path.split(sep);
	const at = parts.lastIndexOf(".copilot-ld");
	return at >= 0 && (at === parts.length - 1 || parts[at + 1] === "plugins");
}

interface Spot {
	readonly place: PluginPlace;
	readonly name: string;
	readonly path: string;
	readonly outer?: OuterCopilot;
	readonly look?: FolderLook | undefined;
}

function spotsWithin({ place, path }: Spot, { plugin, look }: SeenPlugin): Spot[] {
	const outer = plugin.read.manifest?.shared;
	if (!outer) return [];
	const own = join(dirname(path), "plugins");
	return foldersIn(own).map((name) => ({
		place,
		outer,
		look,
		name: `${outer.name}-${name}`,
		path: join(own, name, FILE),
	}));
}

interface ReadPlugin {
	readonly read: ReadManifest;
	readonly folder?: FolderDigest | undefined;
}

interface SeenPlugin {
	readonly plugin: ReadPlugin;
	readonly look?: FolderLook | undefined;
}

/** The fingerprint, to which the user consents, covers values from the workspace but not from the user. */
function withFingerprint(plugin: PluginDefinition, _: number, all: readonly PluginDefinition[]) {
	const { fingerprint } = plugin;
	if (fingerprint === undefined) return plugin;
	const inner = pluginsInFolderOf(plugin, all).map((one) => [one.name, saidByOthers(one)]);
	const whole = JSON.stringify([fingerprint, saidByOthers(plugin), ...inner]);
	return { ...plugin, fingerprint: createHash("sha256").update(whole).digest("hex") };
}

function saidByOthers({ config }: PluginDefinition) {
	return config.filter(({ origin }) => origin !== "user");
}

/** Plugins in a copilot's folder get the copilot's fingerprint: the user consents to all of them together. */
function withOuterFingerprint(
	{ fingerprint: _, ...plugin }: PluginDefinition,
	index: number,
	all: readonly PluginDefinition[],
): PluginDefinition {
	const reviewed = agreedWith(plugin, all) ?? all[index];
	return { ...plugin, ...(reviewed?.fingerprint !== undefined && { fingerprint: reviewed.fingerprint }) };
}

function readPlugin(spot: Spot, before: ReadPlugin | undefined): SeenPlugin | undefined {
	const { place, path, outer } = spot;
	const uri = uriOfPath(path);
	try {
		if (!place.holds(path)) return unread(uri, "A link leads out of the folder and is not followed");
		const look = outer ? spot.look : lookAtFolder(dirname(path), before?.folder);
		if (before?.folder && before.folder === look?.folder) return { plugin: before, look };
		return { plugin: { read: readAgain(spot, look), folder: look?.folder }, look };
	} catch (thrown) {
		return isGone(thrown) ? undefined : unread(uri, `The file cannot be read: ${messageOf(thrown)}`);
	}
}

function readAgain(spot: Spot, look: FolderLook | undefined): ReadManifest {
	const { place, name, path, outer } = spot;
	const uri = uriOfPath(path);
	const textAt = textsIn(spot, look);
	const own = withQueries(readManifest(textAt(FILE), { uri, name, ...(outer && { outer }) }), uri);
	return withPrompt(own, place, { uri, path, textAt });
}

/** Reads files of the plugin's folder from the hashed content, because the files may have changed since. */
function textsIn({ path, outer }: Spot, look: FolderLook | undefined): (name: string) => string {
	const folder = dirname(path);
	const before = outer ? `plugins/${basename(folder)}/` : "";
	return (name) => {
		const bytes = look?.files?.get(before + name);
		return bytes && bytes.length <= MAX_BYTES ? decode(bytes) : textOf(join(folder, name));
	};
}

function withQueries(read: ReadManifest, uri: string): ReadManifest {
	const problems = (read.manifest?.commands ?? []).flatMap(({ executor, placeOf }): FileProblem[] => {
		const query = queryOf(executor);
		if (query === undefined) return [];
		try {
			checkSparqlRequest(query);
			return [];
		} catch (thrown) {
			const line = read.lineOf(placeOf("query"));
			return [{ uri, line, severity: "error", message: messageOf(thrown) }];
		}
	});
	if (problems.length === 0) return read;
	return { lineOf: read.lineOf, problems: [...read.problems, ...problems] };
}

/** Adds the prompt from a file in the plugin's folder. Rejects paths and links that lead elsewhere. */
function withPrompt(
	own: ReadManifest,
	place: PluginPlace,
	{ uri, path, textAt }: { readonly uri: string; readonly path: string; textAt(name: string): string },
): ReadManifest {
	const { manifest, lineOf, problems } = own;
	if (manifest?.promptFile === undefined) return own;
	const beside = join(path, "..", manifest.promptFile);
	try {
		if (/[/\\:]|^\.{0,2}$/.test(manifest.promptFile))
			throw new Error("it is not the name of a file in this folder");
		if (!place.holds(beside)) throw new Error("it is a link that leads out of the folder");
		return { ...own, manifest: { ...manifest, prompt: textAt(manifest.promptFile) } };
	} catch (thrown) {
		const line = lineOf(["info", "prompt_file_name"]);
		const message = `The prompt file cannot be read: ${messageOf(thrown)}.`;
		return { lineOf, problems: [...problems, { uri, line, severity: "error", message }] };
	}
}

function textOf(path: string): string {
	const { bytes } = readRegularFile(path, MAX_BYTES);
	return decode(bytes);
}

function decode(bytes: Uint8Array): string {
	return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

async function readConfig(place: PluginPlace): Promise<ConfigFile> {
	const path = join(place.folder, "config.yaml");
	const source = { uri: uriOfPath(path), level: place.level };
	try {
		if (!place.holds(path)) throw new Error("a link leads out of the folder");
		return readConfigFile(textOf(path), source);
	} catch (thrown) {
		const problem = errorAtStart(source.uri, `The file cannot be read: ${messageOf(thrown)}.`);
		return { ...source, entries: new Map(), problems: isGone(thrown) ? [] : [problem], lineOf: () => 1 };
	}
}

function unread(uri: string, why: string): SeenPlugin {
	return { plugin: { read: { problems: [errorAtStart(uri, `${why}.`)], lineOf: () => 1 } } };
}

function tooMany({ folder, names, isCut }: PluginPlace): FileProblem[] {
	return isCut ? [errorAtStart(uriOfPath(folder), `Only the first ${names.length} folders are read.`)] : [];
}

const MAX_PLUGINS = 500;

type PluginPlace = Awaited<ReturnType<typeof placeIn>>;

async function placeIn(base: string, level: PluginLevel) {
	const folder = join(base, PLUGINS_FOLDER);
	const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
	const folders = found.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
	const names = folders.map(({ name }) => name).sort();
	const root = realPathOf(base) ?? base;
	return {
		level,
		/** Absolute path. */
		folder,
		names: names.slice(0, MAX_PLUGINS),
		isCut: names.length > MAX_PLUGINS,
		/** Whether a path is really inside: a link in a repository may lead anywhere. Users are trusted. */
		holds: (path: string) => level === "user" || isBelow(realPathOf(path) ?? path, root),
	};
}

const MAX_WITHIN = 30;

function foldersIn(folder: string): string[] {
	try {
		const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
		const names = found.map(({ name }) => name).sort();
		return names.slice(0, MAX_WITHIN);
	} catch {
		return [];
	}
}
