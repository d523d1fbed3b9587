import { lstat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { visibleText } from "../../../base/text/visibleText.ts";
import type { Effect, PermissionRequest, Permissions } from "../../../core/permission/permission.ts";
import { type CallOrigin, pathsNamedIn } from "./wantedCall.ts";

export type ReadRules = ReturnType<typeof createReadRules>;

export interface JudgedFile {
	readonly path: string;
	readonly effect: Exclude<Effect, "allow">;
	readonly request: PermissionRequest;
	readonly rule?: string;
}

/** Maximum number of files judged in a search result; a larger result requires consent. */
const MAX_FILES = 20_000;
const MAX_RECORDED = 20;
const SHOWN = 5;

export function createReadRules(permissions: Permissions, origin: CallOrigin) {
	const judge = async (paths: readonly string[]): Promise<JudgedFile[]> => {
		const judged = await Promise.all(
			paths.map(async (path) => {
				const request = readRequest(path, origin);
				const { effect, rule } = await permissions.verdictFor(request);
				return effect === "allow" ? [] : [{ path, effect, request, ...(rule && { rule: rule.id }) }];
			}),
		);
		return judged.flat();
	};
	return {
		/** Returns the files that a call names and that rules do not allow outright. */
		named: (input: unknown): Promise<readonly JudgedFile[]> => judge(pathsIn(input, origin.cwd)),
		/** Returns the files mentioned in a search result that rules do not allow outright. */
		found: async (input: unknown, result: string): Promise<readonly JudgedFile[]> => {
			const paths = foundPaths(result, [origin.cwd, ...pathsIn(input, origin.cwd)]);
			if (paths.size <= MAX_FILES) return judge(await onlyThere([...paths]));
			return [
				{ path: "more files than can be judged", effect: "ask", request: readRequest(origin.cwd, origin) },
			];
		},
		record: async (files: readonly JudgedFile[]) => {
			for (const { request, rule } of files.slice(0, MAX_RECORDED))
				await permissions.record({
					request,
					effect: "deny",
					...(rule ? { by: "rule", rule } : { by: "default" }),
				});
		},
	};
}

/** Keeps existing files, because much of a search result only looks like a path. */
async function onlyThere(paths: readonly string[]): Promise<string[]> {
	const there = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
	return paths.filter((_, index) => there[index]?.isDirectory() === false);
}

function readRequest(path: string, { session, workspace, agent }: CallOrigin): PermissionRequest {
	const value = path.replaceAll("\\", "/");
	return {
		channel: "cli",
		tool: "read",
		title: `Read the file “${value}”`,
		arguments: [{ kind: "path", value }],
		session,
		...(agent !== undefined && { agent }),
		workspace,
		mutates: false,
	};
}

/** Matches `path`, `paths`, `file_path` and so on, because field names differ between versions of the CLI. */
const ANY_PATH_FIELD = /path|file|folder|director/i;

function pathsIn(input: unknown, cwd: string): string[] {
	const paths = pathsNamedIn(input, ANY_PATH_FIELD).map((path) => path.trim());
	return paths.map((path) => (isAbsolute(path) ? path : join(cwd, path)));
}

export function namesOf(paths: readonly string[]): string {
	const names = paths.slice(0, SHOWN).map((path) => `“${visibleText(path)}”`);
	const more = paths.length - names.length;
	return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const MAX_LENGTH = 4096;
const MAX_CUTS = 3;

/** Finds possible paths in a search result. Lines may be relative to any folder or to a heading above them. */
function foundPaths(result: string, folders: readonly string[]): Set<string> {
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

/** Reads `path`, `path:text`, `path:12:text`, `path-12-text`, `path (2 match(es)):` and `  2  path`. */
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
