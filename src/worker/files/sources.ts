import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isBelow, isInside, uriOfPath } from "../../base/files/paths.ts";
import { createListeners } from "../../base/jobs/listeners.ts";
import type { FileProblem } from "../../core/fileProblem.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import { pathOf } from "../../core/knowledge/path.ts";
import {
	createExclusion,
	createInclusion,
	createReservation,
	type DiscoverOptions,
	discover,
	type Exclusion,
	type FoundFile,
	type Reservation,
	readGitignore,
} from "./discover.ts";
import { CONFIG_PATH, readFolderConfig, readFolderPolicy } from "./folderConfig.ts";

export function filePathOf(uri: string): string | undefined {
	if (!/^file:/i.test(uri)) return undefined;
	try {
		return fileURLToPath(uri);
	} catch {
		// The URI has a host or an escaped slash, so it is not a local file.
		return undefined;
	}
}

/** Omits folders that are not on disk. Normalizes URIs, because editors escape more characters than necessary. */
function localFolders(folders: readonly Folder[]): Folder[] {
	return folders.flatMap(({ uri, name }) => {
		const path = filePathOf(uri);
		return path === undefined ? [] : [{ uri: uriOfPath(path).replace(/\/$/, ""), name }];
	});
}

/** Folders that were only added to the knowledge base may not define agents or plugins. */
function ownFolderPaths(folders: readonly Folder[]): string[] {
	return folders.flatMap(({ uri, isExtra }) => (isExtra ? [] : (filePathOf(uri) ?? [])));
}

export interface FileFollower {
	setFolders(folders: readonly Folder[]): void;
	/** Takes `file:` URIs of created, changed or deleted files and folders. */
	filesChanged(uris: readonly string[]): void;
}

/** Follows the folders that may define agents and plugins. Watchers hear of paths that `isMeant` accepts. */
export function followOwnFolders(given: readonly Folder[], isMeant: (path: string) => boolean) {
	let folders = ownFolderPaths(given);
	const { tell, watch } = createListeners();
	const follower: FileFollower = {
		setFolders: (changed) => {
			folders = ownFolderPaths(changed);
			tell();
		},
		filesChanged: (uris) => {
			if (uris.some((uri) => isMeant(filePathOf(uri) ?? ""))) tell();
		},
	};
	return { folders: () => folders, watching: { ...follower, watch } };
}

export function errorAtStart(uri: string, message: string): FileProblem {
	return { uri, line: 1, severity: "error", message };
}

/** A scope is a list of absolute paths; without a scope, all files are included. */
export type SourceFiles = ReturnType<typeof createSources>;

export interface SourcesOptions {
	readonly dataFolder: string;
	readonly folders: readonly Folder[];
	/** Globs as in `files.exclude`. */
	readonly excludes: readonly string[];
	readonly agentInstructions?: boolean | undefined;
}

export function createSources(options: SourcesOptions) {
	const { dataFolder, excludes, agentInstructions = false } = options;
	let folders = localFolders(options.folders);
	const reservations = new Map<string, Reservation>();
	const reservationOf = (root: string): Reservation => {
		const known = reservations.get(root) ?? createReservation(root, agentInstructions);
		reservations.set(root, known);
		return known;
	};
	const filesIn = async (root: string, scope: readonly string[] | undefined, signal: AbortSignal) => {
		const reservation = reservationOf(root);
		if (!scope) reservation.forgetLinks();
		const walk = { root, excludes, dataFolder, reservation, ...(scope && { scope }) };
		const files = await Array.fromAsync(discover(walk, signal));
		if (!reservation.hasLinks()) return files;
		// Check again, because a link to a file may be found after the file.
		return files.filter(({ path }) => !reservation.against(relative(root, path).split(sep).join("/")));
	};
	const policies = () => rootsOf(folders).map(readFolderPolicy);
	const configProblems = () =>
		policies().flatMap(({ root, problem }) => (problem ? [{ root, problem }] : []));
	return {
		setFolders: (next: readonly Folder[]) => {
			folders = localFolders(next);
		},
		/** The URI of a folder is the prefix of the URIs of all files in the folder. */
		folders: () => folders,
		list: async (scope: readonly string[] | undefined, signal: AbortSignal) => {
			const found = new Map<string, FoundFile>();
			for (const root of rootsOf(folders))
				for (const file of await filesIn(root, scope, signal)) found.set(file.uri, file);
			return [...found.values()];
		},
		explain: (uri: string) => {
			const path = filePathOf(uri);
			const root = rootsOf(folders).find((folder) => path && isBelow(path, folder));
			if (!path || !root) return "It is not in any of the indexed folders.";
			return explainAbsence(path, { root, excludes, reservation: reservationOf(root) });
		},
		pathOf: (uri: string) => pathOf(uri, folders),
		notices: () => configProblems().map(({ problem }) => problem.message),
		problems: () =>
			configProblems().map(({ root, problem: { path, ...problem } }) => ({
				uri: uriOfPath(join(root, path)),
				problems: [problem],
			})),
		policies,
	};
}

export function isInScope(uri: string, scope: readonly string[] | undefined): boolean {
	const path = filePathOf(uri);
	return !scope || (path !== undefined && scope.some((target) => isInside(path, target)));
}

function rootsOf(folders: readonly Folder[]): string[] {
	return folders.flatMap(({ uri }) => filePathOf(uri) ?? []);
}

function explainAbsence(path: string, { root, excludes, reservation }: Omit<DiscoverOptions, "dataFolder">) {
	if (!existsSync(path)) return "There is no such file.";
	const { include, exclude } = readFolderConfig(root);
	const steps = stepsTo(relative(root, path).split(sep).join("/"));
	const reserved = reservation.against(steps.at(-1) ?? "");
	if (reserved) return `It is not in the index: ${reserved}.`;
	const rules: readonly [string, Exclusion][] = [
		["the built-in list of excluded files", createExclusion([], [])],
		["files.exclude or search.exclude", createExclusion(excludes, [])],
		[`exclude in ${CONFIG_PATH}`, createExclusion([], exclude)],
		["a .gitignore", withGitignores(root, steps)],
	];
	const rule = rules.find(([, exclusion]) => steps.some((step) => exclusion.excludes(step)));
	if (rule) return `It is not in the index: ${rule[0]} excludes it.`;
	if (!createInclusion(include)(steps.at(-1) ?? ""))
		return `It is not in the index: include in ${CONFIG_PATH} does not name it.`;
	return "It is not in the index yet. Run “Copilot-LD: Index Workspace”.";
}

/** Returns all prefixes of a path, because a rule may exclude any of them: `a/`, `a/b/`, `a/b/c.md`. */
function stepsTo(path: string): string[] {
	const parts = path.split("/");
	return parts.map((_, index) => parts.slice(0, index + 1).join("/") + (index < parts.length - 1 ? "/" : ""));
}

function withGitignores(root: string, steps: readonly string[]): Exclusion {
	const folders = ["", ...steps.slice(0, -1)];
	return folders.reduce(
		(exclusion, folder) => exclusion.withGitignore(folder, readGitignore(join(root, folder))),
		createExclusion([], []),
	);
}
