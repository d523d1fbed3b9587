import type { Folder } from "./knowledge.ts";

/** The path that users and models see for a URI; the URI itself outside of all folders. */
export function pathOf(uri: string, folders: readonly Folder[]): string {
	const folder = folders.find(({ uri: root }) => uri.startsWith(`${root}/`));
	if (!folder) return uri;
	const relative = decodeURIComponent(uri.slice(folder.uri.length + 1));
	return folders.length > 1 ? `${folder.name}/${relative}` : relative;
}

/** Makes folder names unique and free of slashes, because cited paths begin with folder names. */
export function withUniqueNames(folders: readonly Folder[]): Folder[] {
	const taken = new Set<string>();
	return folders.map(({ name: given, ...folder }) => {
		const base = given.replace(/[/\\]/g, "-").replace(/^\.{0,2}$/, "folder");
		let name = base;
		for (let count = 2; taken.has(name); count++) name = `${base} (${count})`;
		taken.add(name);
		return { ...folder, name };
	});
}
