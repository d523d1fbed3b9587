import type { Folder } from "./knowledge.ts";

/** The path that people and models see for a URI; the URI itself where no folder holds it. */
export function pathOf(uri: string, folders: readonly Folder[]): string {
	const folder = folders.find(({ uri: root }) => uri.startsWith(`${root}/`));
	if (!folder) return uri;
	const relative = decodeURIComponent(uri.slice(folder.uri.length + 1));
	return folders.length > 1 ? `${folder.name}/${relative}` : relative;
}

/** Names begin the paths of citations: no two may be the same. */
export function withUniqueNames(folders: readonly Folder[]): Folder[] {
	const taken = new Map<string, number>();
	return folders.map(({ uri, name }) => {
		const count = (taken.get(name) ?? 0) + 1;
		taken.set(name, count);
		return { uri, name: count === 1 ? name : `${name} (${count})` };
	});
}
