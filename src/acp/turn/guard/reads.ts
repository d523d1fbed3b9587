import { lstat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { visibleText } from "../../../base/text/visibleText.ts";
import { isRecord } from "../../../base/values.ts";
import type { Effect, PermissionRequest, Permissions } from "../../../core/permission/permission.ts";
import { foundPaths } from "./foundPaths.ts";
import type { CallOrigin } from "./wantedCall.ts";

export interface ReadRules {
	/** The files named by a call that may not be read freely, with what the rules say. */
	named(input: unknown): Promise<readonly JudgedFile[]>;
	/** The same for the files that a search result mentions. */
	found(input: unknown, result: string): Promise<readonly JudgedFile[]>;
	/** Logs that they were kept from the model. */
	record(files: readonly JudgedFile[]): Promise<void>;
}

export interface JudgedFile {
	readonly path: string;
	readonly effect: Exclude<Effect, "allow">;
	readonly request: PermissionRequest;
	/** The rule that decided; absent if the default did. */
	readonly rule?: string;
}

/** A result that mentions more files than this counts as one that could not be judged. */
const MAX_FILES = 20_000;
const MAX_RECORDED = 20;
const SHOWN = 5;

export function createReadRules(permissions: Permissions, origin: CallOrigin): ReadRules {
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
		named: (input) => judge(pathsIn(input).map((path) => absolute(path, origin.cwd))),
		found: async (input, result) => {
			const folders = pathsIn(input).map((path) => absolute(path, origin.cwd));
			const paths = foundPaths(result, [origin.cwd, ...folders]);
			if (paths.size <= MAX_FILES) return judge(await onlyThere([...paths]));
			return [
				{ path: "more files than can be judged", effect: "ask", request: readRequest(origin.cwd, origin) },
			];
		},
		record: async (files) => {
			for (const { request, rule } of files.slice(0, MAX_RECORDED))
				await permissions.record({
					request,
					effect: "deny",
					by: rule === undefined ? "default" : "rule",
					...(rule !== undefined && { rule }),
				});
		},
	};
}

/** Much in a result only looks like a path; what does not exist was not read. */
async function onlyThere(paths: readonly string[]): Promise<string[]> {
	const there = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
	return paths.filter((_, index) => there[index]?.isDirectory() === false);
}

function readRequest(path: string, { session, workspace, agent }: CallOrigin): PermissionRequest {
	const value = path.replaceAll("\\", "/");
	return {
		door: "cli",
		tool: "read",
		title: `Read the file “${value}”`,
		arguments: [{ kind: "path", value }],
		session,
		...(agent !== undefined && { agent }),
		workspace,
		mutates: false,
	};
}

/** `path`, `paths`, `file_path`, …: versions of the CLI differ. */
function pathsIn(input: unknown): string[] {
	if (!isRecord(input)) return [];
	const named = Object.entries(input).filter(([name]) => /path|file|folder|director/i.test(name));
	return named.flatMap(([, value]) => [value].flat()).filter((value) => typeof value === "string");
}

function absolute(path: string, cwd: string): string {
	const trimmed = path.trim();
	return isAbsolute(trimmed) ? trimmed : join(cwd, trimmed);
}

/** Some paths in words: the first ones, and how many more there are. */
export function namesOf(paths: readonly string[]): string {
	const names = paths.slice(0, SHOWN).map((path) => `“${visibleText(path)}”`);
	const more = paths.length - names.length;
	return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
