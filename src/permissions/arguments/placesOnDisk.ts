import { readdir, stat } from "node:fs/promises";
import type { PermissionRequest, PermissionRule, RequestArgument } from "../../core/permission/permission.ts";
import { ANY_NAME, ANY_SIGN, isKnown } from "../commands/words.ts";
import type { Places } from "./argumentPattern.ts";
import { folderPath } from "./folderPath.ts";
import { placesOf, wordsOf } from "./mentions.ts";
import { coversName } from "./pattern.ts";
import { realOf } from "./realPaths.ts";

/** Nobody names more paths or folders in good faith. */
const MOST_PLACES = 2000;
const MOST_FOLDERS = 16;

/** Where the words of texts and command lines lead on the disk, by the value of the argument; none if no rule asks. */
export async function placesOnDisk(
	request: PermissionRequest,
	rules: readonly PermissionRule[],
): Promise<ReadonlyMap<string, Places>> {
	const folder = folderPath(request.workspace);
	const found = new Map<string, Places>();
	if (!rules.some(({ argument, effect }) => argument?.kind === "path" && effect !== "allow")) return found;
	for (const argument of request.arguments)
		if (argument.kind === "command" || argument.kind === "text")
			found.set(argument.value, await placesIn(argument, folder));
	return found;
}

/** A word is read from the folder, and from each folder that another word names: a command may go there first. */
async function placesIn(argument: RequestArgument, start: string): Promise<Places> {
	const words = wordsOf(argument);
	const paths = new Set<string>();
	const folders = [start];
	let isWhole = true;
	for (const folder of folders) {
		const places = [...new Set(words.flatMap((word) => placesOf(word, folder)))];
		const named = places.length > MOST_PLACES ? [undefined] : await Promise.all(places.map(pathsAt));
		isWhole &&= !named.includes(undefined);
		const found = named.flatMap((each) => each ?? []).filter((path) => !paths.has(path));
		for (const path of found) paths.add(path);
		const further = await Promise.all(found.map(async (path) => ((await isFolder(path)) ? [path] : [])));
		folders.push(...new Set(further.flat().slice(0, MOST_FOLDERS - folders.length)));
	}
	return { paths: [...paths], isWhole };
}

/** The real paths at a place, or that a glob names; `undefined` if that is not known. */
async function pathsAt(place: string): Promise<string[] | undefined> {
	if (!place.startsWith("/")) return [];
	const isRecursive = place.includes(ANY_NAME + ANY_NAME);
	if (isRecursive || !isKnown(place.replaceAll(ANY_NAME, "").replaceAll(ANY_SIGN, ""))) return undefined;
	let found = [""];
	for (const segment of place.split("/").slice(1)) {
		const next = await Promise.all(found.map((folder) => entriesOf(folder, segment)));
		found = next.flat();
		if (found.length > MOST_PLACES) return undefined;
	}
	const real = await Promise.all(found.map((path) => realOf(path).catch(() => path)));
	return real;
}

async function entriesOf(folder: string, segment: string): Promise<string[]> {
	if (isKnown(segment)) return [`${folder}/${segment}`];
	const glob = segment.replaceAll(ANY_NAME, "*").replaceAll(ANY_SIGN, "?");
	const names = await readdir(`${folder}/`).catch(() => []);
	return names.filter((name) => coversName(glob, name)).map((name) => `${folder}/${name}`);
}

async function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
}
