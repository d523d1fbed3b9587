import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { isGone } from "../../base/files/fileError.ts";
import { readRegularFile } from "../../base/files/regularFile.ts";
import type { DocumentState } from "../../core/knowledge/document.ts";
import { createExclusion, createInclusion, type Exclusion } from "./exclusion.ts";
import { reasonOf } from "./fileError.ts";
import { uriOf } from "./fileUri.ts";
import { readFolderConfig } from "./folderConfig.ts";
import { refusalOf } from "./refusal.ts";
import type { Reservation } from "./reservation.ts";

const GITIGNORE_BYTES = 1_000_000;

export interface FoundFile {
	readonly uri: string;
	/** Absolute. */
	readonly path: string;
	/** Bytes. */
	readonly size: number;
	readonly modifiedMs: number;
	/** Why it is not to be read; absent where it is. */
	readonly refused?: Exclude<DocumentState, { kind: "indexed" }>;
}

export interface DiscoverOptions {
	/** Absolute path of a folder. */
	readonly root: string;
	/** Globs as in `files.exclude`. */
	readonly excludes: readonly string[];
	/** Absolute path of a folder that is not looked into, whatever the rules. */
	readonly dataFolder: string;
	readonly reservation: Reservation;
	/** Only these absolute paths, and what is inside them; everything where it is left out. */
	readonly scope?: readonly string[];
}

interface FolderToWalk {
	readonly path: string;
	/** From the root, with slashes; ends with one unless it is empty. */
	readonly relative: string;
	readonly exclusion: Exclusion;
}

/** The files that a folder of files offers: what the rules exclude is not among them. */
export async function* discover(options: DiscoverOptions, signal: AbortSignal): AsyncGenerator<FoundFile> {
	const { include, exclude } = readFolderConfig(options.root);
	const isIncluded = createInclusion(include);
	const exclusion = createExclusion(options.excludes, exclude);
	const places: FolderToWalk[] = [{ path: options.root, relative: "", exclusion }];
	for (let place = places.pop(); place; place = places.pop()) {
		signal.throwIfAborted();
		const { folders, files, unreadable } = await look(place, options);
		if (unreadable) yield unreadable;
		const included = files.filter(({ name }) => isIncluded(`${place.relative}${name}`));
		for (const file of await Promise.all(included.map((entry) => examine(place, entry)))) {
			if (file) yield file;
		}
		places.push(...folders.reverse());
	}
}

interface View {
	readonly folders: FolderToWalk[];
	readonly files: readonly Dirent[];
	readonly unreadable?: FoundFile;
}

async function look(place: FolderToWalk, options: DiscoverOptions): Promise<View> {
	try {
		const entries = await readdir(place.path, { withFileTypes: true });
		const exclusion = exclusionIn(place, entries);
		for (const entry of entries)
			if (entry.isSymbolicLink()) options.reservation.noteLink(relativeOf(place, entry));
		const offered = entries
			.filter(({ name }) => isWanted(join(place.path, name), options))
			.filter((entry) => options.reservation.against(relativeOf(place, entry)) === undefined)
			.filter((entry) => !exclusion.excludes(relativeOf(place, entry)))
			.sort((a, b) => (a.name < b.name ? -1 : 1));
		return {
			folders: offered
				.filter((entry) => entry.isDirectory())
				.map((entry) => ({
					path: join(place.path, entry.name),
					relative: relativeOf(place, entry),
					exclusion,
				})),
			files: offered.filter((entry) => !entry.isDirectory()),
		};
	} catch (thrown) {
		const unreadable = explain(place.path, thrown);
		return { folders: [], files: [], ...(unreadable && { unreadable }) };
	}
}

function exclusionIn({ path, relative, exclusion }: FolderToWalk, entries: readonly Dirent[]): Exclusion {
	if (!entries.some((entry) => entry.name === ".gitignore" && entry.isFile())) return exclusion;
	const { bytes } = readRegularFile(join(path, ".gitignore"), GITIGNORE_BYTES);
	return exclusion.withGitignore(relative, new TextDecoder().decode(bytes));
}

/** Whether a path is in the scope, or on the way to it. */
function isWanted(path: string, { scope, dataFolder }: DiscoverOptions): boolean {
	if (path === dataFolder) return false;
	if (!scope) return true;
	return scope.some(
		(target) => target === path || path.startsWith(target + sep) || target.startsWith(path + sep),
	);
}

function relativeOf({ relative }: FolderToWalk, entry: Dirent): string {
	return `${relative}${entry.name}${entry.isDirectory() ? "/" : ""}`;
}

async function examine({ path: folder }: FolderToWalk, entry: Dirent): Promise<FoundFile | undefined> {
	const path = join(folder, entry.name);
	try {
		const { size, mtimeMs: modifiedMs } = await lstat(path);
		const reason = reasonAgainst(entry, size);
		return {
			uri: uriOf(path),
			path,
			size,
			modifiedMs,
			...(reason && { refused: { kind: "skipped", reason } }),
		};
	} catch (thrown) {
		return explain(path, thrown);
	}
}

function reasonAgainst(entry: Dirent, size: number): string | undefined {
	if (entry.isSymbolicLink()) return "a link (links are not followed)";
	if (!entry.isFile()) return "not a regular file";
	return refusalOf(entry.name, size);
}

/** Why something could not be looked at; `undefined` where it is simply gone by now. */
function explain(path: string, thrown: unknown): FoundFile | undefined {
	// Bytes that are no UTF-8 are listed as replacement characters, which name no file.
	const isMisnamed = path.includes("\uFFFD");
	if (isGone(thrown) && !isMisnamed) return undefined;
	const reason = isGone(thrown) ? "its name is not valid UTF-8" : reasonOf(thrown);
	return { uri: uriOf(path), path, size: 0, modifiedMs: 0, refused: { kind: "failed", reason } };
}
