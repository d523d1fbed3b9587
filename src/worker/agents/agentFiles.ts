import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { messageOf } from "../../base/failure.ts";
import { readRegularFile } from "../../base/files/regularFile.ts";
import { createListeners } from "../../base/jobs/listeners.ts";
import type { AgentFiles, AgentProblem, AgentRegistry } from "../../core/agent/agentDefinition.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import { MAX_BYTES, MAX_FILES } from "../../loads/walk.ts";
import { filePathOf, uriOf } from "../files/fileUri.ts";
import { type AgentHomes, type AgentPath, agentPaths } from "./agentPaths.ts";
import { hiddenBy, type LocatedAgent, lintAgents } from "./lintAgents.ts";
import { type ReadAgent, readAgent } from "./readAgent.ts";

/** The agents of some folders and of the person. */
export interface WatchedAgentFiles extends Omit<AgentFiles, "likeness"> {
	setFolders(folders: readonly Folder[]): void;
	/** `file:` URIs of what was made, changed or deleted. */
	filesChanged(uris: readonly string[]): void;
}

interface AgentFilesOptions {
	readonly folders: readonly Folder[];
	readonly homes: AgentHomes;
}

/** Reads all files again for each question, and makes something new only of those whose bytes are new. */
export function createAgentFiles(options: AgentFilesOptions): WatchedAgentFiles {
	const { homes } = options;
	let folders = pathsOf(options.folders);
	let known: ReadonlyMap<string, KnownFile> = new Map();
	const { tell, watch } = createListeners();
	return {
		registry: async (signal) => {
			const { paths, cut } = await agentPaths(folders, homes);
			const files = new Map<string, KnownFile>();
			const read: AgentFile[] = [];
			let restAt = 0;
			for (const path of paths.slice(0, MAX_FILES)) {
				if (performance.now() > restAt) {
					// Others are answered in between.
					await setImmediate();
					signal.throwIfAborted();
					restAt = performance.now() + WORK_MS;
				}
				const file = readKnown(path, known);
				files.set(path.path, file);
				read.push({ ...path, ...file });
			}
			known = files;
			return register(read, [...cut.map(tooMany), ...paths.slice(MAX_FILES).slice(0, 1).map(toUnread)]);
		},
		watch,
		setFolders: (changed) => {
			folders = pathsOf(changed);
			tell();
		},
		filesChanged: (uris) => {
			if (uris.some((uri) => mayHoldAgents(filePathOf(uri) ?? "", homes))) tell();
		},
	};
}

/** How long files are read at a stretch. */
const WORK_MS = 5;

/** Folders that a person only added to the knowledge bring no agents. */
function pathsOf(folders: readonly Folder[]): string[] {
	return folders.flatMap(({ uri, isExtra }) => (isExtra ? [] : (filePathOf(uri) ?? [])));
}

interface KnownFile {
	readonly hash: string;
	readonly agent: ReadAgent;
}

type AgentFile = AgentPath & KnownFile;

/** A folder that is gone says nothing of what was in it. */
function mayHoldAgents(path: string, { copilot }: AgentHomes): boolean {
	return (
		path.startsWith(join(copilot, "agents")) ||
		/[/\\]\.(?:github|claude)(?:[/\\]agents(?:[/\\].*)?)?$/s.test(path)
	);
}

function readKnown(path: AgentPath, known: ReadonlyMap<string, KnownFile>): KnownFile {
	const uri = uriOf(path.path);
	if (path.isOutside) return unread(uri, "A link leads out of the folder and is not followed");
	try {
		const { bytes } = readRegularFile(path.real, MAX_BYTES);
		const hash = createHash("sha256").update(bytes).digest("hex");
		const before = known.get(path.path);
		if (before?.hash === hash) return before;
		const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
		return { hash, agent: readAgent({ source: { uri, level: path.level, hash }, text, id: path.id }) };
	} catch (thrown) {
		return unread(uri, `The file cannot be read: ${messageOf(thrown)}`);
	}
}

function unread(uri: string, why: string): KnownFile {
	return { hash: "", agent: { uri, problems: [error(uri, `${why}.`)], lineOf: () => 1 } };
}

function error(uri: string, message: string): AgentProblem {
	return { uri, line: 1, severity: "error", message };
}

function tooMany(folder: string): AgentProblem {
	return error(uriOf(folder), "This folder contains more than is read.");
}

function toUnread({ path }: AgentPath): AgentProblem {
	return error(
		uriOf(path),
		`Only the first ${MAX_FILES} files are read; this one and those after it are not.`,
	);
}

/** The first of a name counts; and of a path within a chain, as for the CLI. */
function register(files: readonly AgentFile[], others: readonly AgentProblem[]): AgentRegistry {
	const agents = new Map<string, LocatedAgent>();
	const ids = new Map<string, AgentFile>();
	const problems: AgentProblem[] = [...others];
	for (const file of files.filter(isFirstWay)) {
		const { agent, id, chain } = file;
		problems.push(...agent.problems.filter(() => !isReadMe(file)));
		if (!isLocated(agent)) continue;
		const { name } = agent.definition;
		const sameId = ids.get(`\0${id}`) ?? ids.get(`${chain}\0${id}`);
		const sameName = agents.get(name);
		if (sameId) problems.push(hiddenBy(agent, sameId.agent, `The path “${id}”`));
		else if (sameName) problems.push(hiddenBy(agent, sameName, `The name “${name}”`));
		else agents.set(name, agent);
		if (!sameId) ids.set(`${chain}\0${id}`, file);
	}
	const located = [...agents.values()];
	return {
		agents: located.map(({ definition }) => definition),
		problems: [...problems, ...lintAgents(located)].sort(byPlace),
	};
}

/** Of a folder that is reached in two ways, it is the same file. */
function isFirstWay({ id, real }: AgentFile, index: number, files: readonly AgentFile[]): boolean {
	return files.findIndex((file) => file.id === id && file.real === real) === index;
}

function isLocated(agent: ReadAgent): agent is LocatedAgent {
	return agent.definition !== undefined;
}

/** It tells people of the folder. */
function isReadMe({ path, agent }: AgentFile): boolean {
	return basename(path).toLowerCase() === "readme.md" && agent.definition === undefined;
}

function byPlace(a: AgentProblem, b: AgentProblem): number {
	if (a.uri === b.uri) return a.line - b.line;
	return a.uri < b.uri ? -1 : 1;
}
