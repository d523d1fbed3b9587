import { fileURLToPath } from "node:url";
import { uriOfPath } from "../../base/files/fileError.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";

/** The absolute path of a `file:` URI; `undefined` where the text is no such URI. */
export function filePathOf(uri: string): string | undefined {
	if (!/^file:/i.test(uri)) return undefined;
	try {
		return fileURLToPath(uri);
	} catch {
		// A host in it, or a slash that is escaped: no file of this machine.
		return undefined;
	}
}

/** Folders on disk, their URIs spelled as those of the files: editors escape more characters than they must. */
export function localFolders(folders: readonly Folder[]): Folder[] {
	return folders.flatMap(({ uri, name }) => {
		const path = filePathOf(uri);
		return path === undefined ? [] : [{ uri: uriOfPath(path).replace(/\/$/, ""), name }];
	});
}

/** Paths of the folders with agents and plugins: those that a person only added to the knowledge bring none. */
export function ownFolderPaths(folders: readonly Folder[]): string[] {
	return folders.flatMap(({ uri, isExtra }) => (isExtra ? [] : (filePathOf(uri) ?? [])));
}

/** Hears what happens to files and folders. */
export interface FileFollower {
	setFolders(folders: readonly Folder[]): void;
	/** `file:` URIs of what was made, changed or deleted. */
	filesChanged(uris: readonly string[]): void;
}
