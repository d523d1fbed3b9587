import { createHash } from "node:crypto";
import { dirname, join, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { messageOf } from "../../base/failure.ts";
import { isGone } from "../../base/files/fileError.ts";
import { digestFolder, type FolderDigest } from "../../base/files/folderFiles.ts";
import { readRegularFile } from "../../base/files/regularFile.ts";
import { createListeners } from "../../base/jobs/listeners.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import type { PluginDefinition, PluginFiles, PluginProblem } from "../../core/plugin/plugin.ts";
import { checkSparqlRequest } from "../../graph/sparql/sparqlRequest.ts";
import { assemble, type FoundManifest } from "../../plugins/manifest/assemble.ts";
import { type ConfigFile, readConfigFile } from "../../plugins/manifest/configFile.ts";
import { type OuterCopilot, type ReadManifest, readManifest } from "../../plugins/manifest/readManifest.ts";
import { agreedWith, pluginsInFolderOf } from "../../plugins/share/reach.ts";
import { filePathOf, uriOf } from "../files/fileUri.ts";
import { foldersIn, type PluginPlace, pluginPlaces } from "./pluginPaths.ts";

/** The plugins of some folders and of the person. */
export interface WatchedPluginFiles extends PluginFiles {
	setFolders(folders: readonly Folder[]): void;
	/** `file:` URIs of what was made, changed or deleted. */
	filesChanged(uris: readonly string[]): void;
}

interface PluginFilesOptions {
	readonly folders: readonly Folder[];
	/** The person's. */
	readonly home: string;
}

const MAX_BYTES = 256 * 1024;
/** Plugins that are read before others are answered. */
const AT_ONCE = 20;

/** Reads all files again for each question, and makes something new only of those whose text is new. */
export function createPluginFiles(options: PluginFilesOptions): WatchedPluginFiles {
	const { home } = options;
	let folders = pathsOf(options.folders);
	let known: ReadonlyMap<string, KnownFile> = new Map();
	const { tell, watch } = createListeners();
	return {
		registry: async (signal) => {
			const places = await pluginPlaces(folders, home);
			const read = new Map<string, KnownFile>();
			const files: FoundManifest[] = [];
			const spots = places.flatMap(spotsIn);
			// Those in the folder of a copilot come behind all others.
			for (const [index, spot] of spots.entries()) {
				if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
				signal.throwIfAborted();
				const file = await readPlugin(spot, known.get(spot.path));
				if (!file) continue;
				read.set(spot.path, file);
				files.push(foundAt(spot, file));
				spots.push(...spotsWithin(spot, file));
			}
			known = read;
			const configs = await Promise.all(places.map(readConfig));
			// The person's own come last, and so do those of the first folder among the folders.
			const layers = configs
				.toReversed()
				.sort((a, b) => Number(a.level === "user") - Number(b.level === "user"));
			const { plugins, problems } = assemble(files, layers);
			return {
				plugins: plugins.map(withFingerprint).map(withOuterFingerprint),
				problems: [...places.flatMap(tooMany), ...problems],
			};
		},
		watch,
		setFolders: (changed) => {
			folders = pathsOf(changed);
			tell();
		},
		filesChanged: (uris) => {
			if (uris.some((uri) => mayHoldPlugins(filePathOf(uri) ?? ""))) tell();
		},
	};
}

/** Folders that a person only added to the knowledge bring no plugins. */
function pathsOf(folders: readonly Folder[]): string[] {
	return folders.flatMap(({ uri, isExtra }) => (isExtra ? [] : (filePathOf(uri) ?? [])));
}

/** A folder that is gone says nothing of what was in it. */
function mayHoldPlugins(path: string): boolean {
	const parts = path.split(sep);
	const at = parts.lastIndexOf(".copilot-ld");
	return at >= 0 && (at === parts.length - 1 || parts[at + 1] === "plugins");
}

/** Where a plugin may be. */
interface Spot {
	readonly place: PluginPlace;
	/** Of its folder. */
	readonly name: string;
	readonly path: string;
	/** The copilot in whose folder it is, and what is in that folder. */
	readonly outer?: OuterCopilot;
	readonly folder?: FolderDigest | undefined;
}

function spotsIn(place: PluginPlace): Spot[] {
	return place.names.map((name) => ({ place, name, path: join(place.folder, name, "plugin.yaml") }));
}

/** What is in the folder of a copilot belongs to it, and changes with it. */
function spotsWithin({ place, path }: Spot, { read, folder }: ReadPlugin): Spot[] {
	const outer = read.manifest?.shared;
	if (!outer) return [];
	const own = join(dirname(path), "plugins");
	return foldersIn(own).map((name) => ({
		...{ place, outer, folder },
		...{ name: `${outer.name}-${name}`, path: join(own, name, "plugin.yaml") },
	}));
}

/** A file's text, what it says by itself, and what is in its folder. */
interface KnownFile {
	readonly text: string;
	readonly own: ReadManifest;
	readonly folder?: FolderDigest | undefined;
	readonly outer?: OuterCopilot;
}

interface ReadPlugin extends KnownFile {
	readonly read: ReadManifest;
}

function foundAt({ path, place }: Spot, { read, folder }: ReadPlugin): FoundManifest {
	const source = { uri: uriOf(path), level: place.level };
	return { ...read, source, ...(folder && { fingerprint: folder.digest }) };
}

/** What the person says of a plugin themselves needs nobody's consent; what the workspace says does. */
function withFingerprint(
	plugin: PluginDefinition,
	_: number,
	all: readonly PluginDefinition[],
): PluginDefinition {
	const { fingerprint } = plugin;
	if (fingerprint === undefined) return plugin;
	const inner = pluginsInFolderOf(plugin, all).map((one) => [one.name, saidByOthers(one)]);
	const whole = JSON.stringify([fingerprint, saidByOthers(plugin), ...inner]);
	return { ...plugin, fingerprint: createHash("sha256").update(whole).digest("hex") };
}

function saidByOthers({ config }: PluginDefinition) {
	return config.filter(({ origin }) => origin !== "user");
}

/** What is in the folder of a copilot is agreed to with the copilot, as that is. */
function withOuterFingerprint(
	{ fingerprint: _, ...plugin }: PluginDefinition,
	index: number,
	all: readonly PluginDefinition[],
): PluginDefinition {
	const reviewed = agreedWith(plugin, all) ?? all[index];
	return { ...plugin, ...(reviewed?.fingerprint !== undefined && { fingerprint: reviewed.fingerprint }) };
}

/** `undefined` where the folder has no plugin. */
async function readPlugin(
	{ place, name, path, outer, folder }: Spot,
	before: KnownFile | undefined,
): Promise<ReadPlugin | undefined> {
	const uri = uriOf(path);
	try {
		if (!place.holds(path)) return unread(uri, "A link leads out of the folder and is not followed");
		const text = textOf(path);
		const where = { uri, name, ...(outer && { outer }) };
		const isKnown = before?.text === text && JSON.stringify(before.outer) === JSON.stringify(outer);
		const own = isKnown ? before.own : withQueries(readManifest(text, where), uri);
		const read = await withPrompt(own, place, { uri, path });
		// After its text: what changes in between is noticed later.
		const digest = outer ? folder : digestFolder(dirname(path), before?.folder);
		return { text, own, read, folder: digest, ...(outer && { outer }) };
	} catch (thrown) {
		return isGone(thrown) ? undefined : unread(uri, `The file cannot be read: ${messageOf(thrown)}`);
	}
}

/** With what the graph has against its queries, before anybody runs them. */
function withQueries(read: ReadManifest, uri: string): ReadManifest {
	const problems = (read.manifest?.commands ?? []).flatMap(({ executor, place }): PluginProblem[] => {
		if (executor.kind !== "sparql" && executor.kind !== "endpoint") return [];
		try {
			checkSparqlRequest(executor.query);
			return [];
		} catch (thrown) {
			const line = read.lineOf([...place, "executor", "query"]);
			return [{ uri, line, severity: "error", message: messageOf(thrown) }];
		}
	});
	if (problems.length === 0) return read;
	return { lineOf: read.lineOf, problems: [...read.problems, ...problems] };
}

/** With what the file beside it says: a plain name in the same folder, never another place. */
async function withPrompt(
	own: ReadManifest,
	place: PluginPlace,
	{ uri, path }: { readonly uri: string; readonly path: string },
): Promise<ReadManifest> {
	const { manifest, lineOf, problems } = own;
	if (manifest?.promptFile === undefined) return own;
	const beside = join(path, "..", manifest.promptFile);
	try {
		if (/[/\\:]|^\.{0,2}$/.test(manifest.promptFile))
			throw new Error("it is not the name of a file in this folder");
		if (!place.holds(beside)) throw new Error("it is a link that leads out of the folder");
		return { ...own, manifest: { ...manifest, prompt: textOf(beside) } };
	} catch (thrown) {
		const line = lineOf(["info", "prompt_file_name"]);
		const message = `The prompt file cannot be read: ${messageOf(thrown)}.`;
		return { lineOf, problems: [...problems, { uri, line, severity: "error", message }] };
	}
}

function textOf(path: string): string {
	const { bytes } = readRegularFile(path, MAX_BYTES);
	return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

async function readConfig(place: PluginPlace): Promise<ConfigFile> {
	const path = join(place.folder, "config.yaml");
	const source = { uri: uriOf(path), level: place.level };
	try {
		if (!place.holds(path)) throw new Error("a link leads out of the folder");
		return readConfigFile(textOf(path), source);
	} catch (thrown) {
		const problem = error(source.uri, `The file cannot be read: ${messageOf(thrown)}.`);
		return { ...source, entries: {}, problems: isGone(thrown) ? [] : [problem], lineOf: () => 1 };
	}
}

function unread(uri: string, why: string): ReadPlugin {
	const own: ReadManifest = { problems: [error(uri, `${why}.`)], lineOf: () => 1 };
	return { text: "", own, read: own };
}

function error(uri: string, message: string): PluginProblem {
	return { uri, line: 1, severity: "error", message };
}

function tooMany({ folder, names, isCut }: PluginPlace): PluginProblem[] {
	return isCut ? [error(uriOf(folder), `Only the first ${names.length} folders are read.`)] : [];
}
