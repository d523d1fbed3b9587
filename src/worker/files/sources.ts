import { join, sep } from "node:path";
import type { DocumentProblems } from "../../core/knowledge/catalog.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import { pathOf } from "../../core/knowledge/path.ts";
import { discover, type FoundFile } from "./discover.ts";
import { explainAbsence } from "./explainAbsence.ts";
import { filePathOf, localFolders, uriOf } from "./fileUri.ts";
import { type FolderPolicy, readFolderConfig } from "./folderConfig.ts";

/** The files that the knowledge is made of. A scope is a list of absolute paths; without one, all is meant. */
export interface Sources {
	setFolders(folders: readonly Folder[]): void;
	/** Folders on disk, with the URIs that those of their files begin with. */
	folders(): readonly Folder[];
	/** The files that are there, each once. */
	list(scope: readonly string[] | undefined, signal: AbortSignal): Promise<FoundFile[]>;
	/** Why a file is not among them, in one sentence. */
	explain(uri: string): string;
	/** The path that people and models see. */
	pathOf(uri: string): string;
	/** What is wrong with the configuration of the folders. */
	notices(): string[];
	/** The same, where it stands. */
	problems(): DocumentProblems[];
	/** What the configuration of each folder hides. */
	policies(): FolderPolicy[];
}

export interface SourcesOptions {
	readonly dataFolder: string;
	readonly folders: readonly Folder[];
	/** Globs as in `files.exclude`. */
	readonly excludes: readonly string[];
}

export function createSources({ dataFolder, folders: initial, excludes }: SourcesOptions): Sources {
	let folders = localFolders(initial);
	const configProblems = () =>
		rootsOf(folders).flatMap((root) => {
			const { problem } = readFolderConfig(root);
			return problem ? [{ root, problem }] : [];
		});
	return {
		setFolders: (next) => {
			folders = localFolders(next);
		},
		folders: () => folders,
		list: async (scope, signal) => {
			const found = new Map<string, FoundFile>();
			for (const root of rootsOf(folders)) {
				const options = { root, excludes, dataFolder, ...(scope && { scope }) };
				for await (const file of discover(options, signal)) found.set(file.uri, file);
			}
			return [...found.values()];
		},
		explain: (uri) => {
			const path = filePathOf(uri);
			const root = rootsOf(folders).find((folder) => path?.startsWith(folder + sep));
			if (!path || !root) return "It is in none of the folders whose knowledge is indexed.";
			return explainAbsence(path, root, excludes);
		},
		pathOf: (uri) => pathOf(uri, folders),
		notices: () => configProblems().map(({ problem }) => problem.message),
		problems: () =>
			configProblems().map(({ root, problem: { path, ...problem } }) => ({
				uri: uriOf(join(root, path)),
				problems: [problem],
			})),
		policies: () => rootsOf(folders).map((root) => ({ root, rules: readFolderConfig(root).policy })),
	};
}

/** Whether a document's file is one of these paths, or inside one. */
export function isInScope(uri: string, scope: readonly string[] | undefined): boolean {
	const path = filePathOf(uri);
	return !scope || scope.some((target) => path === target || path?.startsWith(target + sep));
}

function rootsOf(folders: readonly Folder[]): string[] {
	return folders.flatMap(({ uri }) => filePathOf(uri) ?? []);
}
