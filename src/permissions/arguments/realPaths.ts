import { readdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { codeOf, isFolder } from "../../base/files/file.ts";
import type { PermissionRequest, PermissionRule, RequestArgument } from "../../core/permission/permission.ts";
import { ANY_NAME, ANY_SIGN, isKnown } from "../commands/words.ts";
import { escapedGlob, type Places } from "./argumentPattern.ts";
import { placesOf, wordsOf } from "./mentions.ts";
import { coversName, folderPath } from "./pattern.ts";

const MOST_LINKS = 40;
/** Maximum number of paths to look up per list of words, and of folders that the words may be relative to. */
const MOST_PLACES = 2000;
const MOST_FOLDERS = 16;
const MISSING = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE", "EINVAL"]);

/** Resolves symbolic links in the paths of a request, and spells names in the letter case of the disk. */
export async function onDisk(request: PermissionRequest): Promise<PermissionRequest> {
	const found = await Promise.all(request.arguments.map(argumentOnDisk));
	if (found.every((argument, index) => argument === request.arguments[index])) return request;
	const values = found.map(({ kind, value }) => `${kind} ${value}`);
	return { ...request, arguments: found.filter((_, index) => values.indexOf(values[index] ?? "") === index) };
}

async function argumentOnDisk(argument: RequestArgument): Promise<RequestArgument> {
	const { kind, value } = argument;
	if (kind !== "path" || !isAbsolute(value)) return argument;
	const real = await realOf(value);
	return real === value ? argument : { ...argument, value: real, alias: argument.alias ?? value };
}

/** Repeats path rules with the real paths of their folders. */
export async function rulesOnDisk(rules: readonly PermissionRule[], workspace: string) {
	if (!rules.some(({ argument }) => argument?.kind === "path")) return rules;
	const folder = folderPath(workspace);
	const realFolder = isAbsolute(folder) ? await realOf(folder) : folder;
	const found = await Promise.all(rules.map((rule) => globsOnDisk(rule, folder, realFolder)));
	return found.flat();
}

async function globsOnDisk(rule: PermissionRule, folder: string, realFolder: string) {
	const { argument, effect } = rule;
	if (argument?.kind !== "path" || argument.value.startsWith("**")) return [rule];
	const glob = argument.value.trim().replaceAll("\\", "/");
	const moved = movedGlob(glob, folder, realFolder);
	// A link in an allowed folder may lead elsewhere, so allow rules follow only a link to the window's folder.
	const followed =
		effect === "allow" ? undefined : await followedGlob(isAbsolute(glob) ? glob : `${folder}/${glob}`);
	const others = [moved, followed].filter((value) => value !== undefined && value !== glob) as string[];
	return [rule, ...others.map((value) => ({ ...rule, argument: { ...argument, value } }))];
}

function movedGlob(glob: string, folder: string, realFolder: string): string | undefined {
	if (folder === realFolder || folder === "") return undefined;
	if (!isAbsolute(glob)) return `${escapedGlob(realFolder)}/${glob}`;
	return glob === folder || glob.startsWith(`${folder}/`)
		? `${escapedGlob(realFolder)}${glob.slice(folder.length)}`
		: undefined;
}

async function followedGlob(glob: string): Promise<string | undefined> {
	const segments = glob.split("/");
	const wild = segments.findIndex((segment) => /[*?]/.test(segment));
	const start = segments.slice(0, wild < 0 ? segments.length : wild).join("/");
	if (!isAbsolute(start)) return undefined;
	const rest = wild < 0 ? [] : segments.slice(wild);
	return [escapedGlob(await realOf(start)), ...rest].join("/");
}

/** Returns the real path. For a missing file, returns the path at which the file would be created. */
async function realOf(path: string, links = 0): Promise<string> {
	try {
		return (await realpath(path)).replaceAll("\\", "/");
	} catch (thrown) {
		if (!MISSING.has(codeOf(thrown)) || links > MOST_LINKS) throw thrown;
	}
	const target = await readlink(path).catch(() => undefined);
	if (target !== undefined) return realOf(resolve(dirname(path), target), links + 1);
	const parent = dirname(path);
	if (parent === path) return path;
	const whole = join(await realOf(parent, links), basename(path)).replaceAll("\\", "/");
	// `..` after a missing folder may end in a folder that is a link.
	return whole === path ? path : realOf(whole, links + 1);
}

/** Returns the paths on disk to which words refer, by argument value; empty if no rule needs them. */
export async function placesOnDisk(request: PermissionRequest, rules: readonly PermissionRule[]) {
	const folder = folderPath(request.workspace);
	const found = new Map<string, Places>();
	if (!rules.some(({ argument, effect }) => argument?.kind === "path" && effect !== "allow")) return found;
	for (const argument of request.arguments)
		if (argument.kind === "command" || argument.kind === "text")
			found.set(argument.value, await placesIn(argument, folder));
	return found;
}

/** Resolves words against the start folder and each named folder, because the command may change to that folder. */
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
	return Promise.all(found.map((path) => realOf(path).catch(() => path)));
}

async function entriesOf(folder: string, segment: string): Promise<string[]> {
	if (isKnown(segment)) return [`${folder}/${segment}`];
	const glob = segment.replaceAll(ANY_NAME, "*").replaceAll(ANY_SIGN, "?");
	const names = await readdir(`${folder}/`).catch(() => []);
	return names.filter((name) => coversName(glob, name)).map((name) => `${folder}/${name}`);
}
