import { readFile, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { FoundFile } from "./foundFiles.ts";

/** A file that a command names. */
export interface NamedScript {
	readonly name: string;
	readonly bytes: Buffer;
}

const MAX_WORDS = 500;
const MAX_BYTES = 4 * 1024 * 1024;

/** The folder's files that some lines name: an unchanged command does something else once its script changes. */
export async function scriptsNamedIn(
	lines: readonly string[],
	{ base, path: own }: FoundFile,
	folder: string,
): Promise<NamedScript[]> {
	const words = new Set(lines.flatMap((line) => line.match(/[\w.@%+~/\\-]+/g) ?? []));
	const candidates = [...words]
		.slice(0, MAX_WORDS)
		.flatMap((name) =>
			[...new Set([resolve(base, name), resolve(folder, name)])].map((path) => ({ name, path })),
		)
		.filter(({ path }) => path !== own && isBelow(path, [base, folder]));
	const found = await Promise.all(candidates.map(({ name, path }) => read(name, path)));
	return found.filter((script) => script !== undefined);
}

/** System programs change with the system. */
function isBelow(path: string, folders: readonly string[]): boolean {
	return folders.some((folder) => folder !== sep && path.startsWith(folder + sep));
}

async function read(name: string, path: string): Promise<NamedScript | undefined> {
	const stats = await stat(path).catch(() => undefined);
	if (!stats?.isFile() || stats.size > MAX_BYTES) return undefined;
	const bytes = await readFile(path).catch(() => undefined);
	return bytes && { name, bytes };
}
