import { isAbsolute, join } from "node:path";

/** A longer line is text, not a path. */
const MAX_LENGTH = 4096;
const MAX_CUTS = 3;

/**
 * Everything in what a search says that may be a path. The CLI has a form for each way to search, and shorter ones
 * for long results, with the folder in a line above: so each line may lie in any folder that was named, and what is
 * no path is found out by looking.
 */
export function foundPaths(result: string, folders: readonly string[]): Set<string> {
	const lines = result.split("\n");
	const unders = lines.flatMap((line) => /^\[.* under (.+?)(?:; .*)?\]$/.exec(line)?.[1] ?? []);
	const bases = [...folders, ...unders.flatMap((under) => within(folders, under))];
	let heading: readonly string[] = [];
	const paths = lines.flatMap((line) => {
		const named = /^(\S.*?)\/? \(\d+ path\(s\)\)$/.exec(line)?.[1];
		if (named !== undefined) heading = within(bases, named);
		return namesIn(line).flatMap((name) => within([...bases, ...heading], name));
	});
	return new Set(paths);
}

/** `path`, `path:line`, `path:12:line`, `path-12-line`, `path: line`, `path (2 match(es)):`, `  2  path`. */
function namesIn(line: string): string[] {
	const text = line.trim();
	const ends = [...text.matchAll(/:|-\d+-| \(/g)].slice(0, MAX_CUTS).map(({ index }) => text.slice(0, index));
	const counted = /^\d+(?: in \d+ file\(s\))? +(.+)$/.exec(text)?.[1];
	return [text, ...ends, ...(counted === undefined ? [] : [counted])].filter(
		(name) => name !== "" && name.length < MAX_LENGTH,
	);
}

function within(folders: readonly string[], name: string): string[] {
	return isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
}
