import type { Folder } from "./knowledge.ts";

/** The path that people and models see for a URI; the URI itself where no folder holds it. */
export function pathOf(uri: string, folders: readonly Folder[]): string {
	const folder = folders.find(({ uri: root }) => uri.startsWith(`${root}/`));
	if (!folder) return uri;
	const relative = decodeURIComponent(uri.slice(folder.uri.length + 1));
	return folders.length > 1 ? `${folder.name}/${relative}` : relative;
}
