import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { createInterface } from "node:readline";
import { parse, parseDocument } from "yaml";
import { Failure } from "../../base/failure.ts";
import { isMissing } from "../../base/files/file.ts";
import { inParallel } from "../../base/jobs/inParallel.ts";
import { fieldOf, parseJson, textOf } from "../../base/values.ts";
import type { SessionSummary } from "../../core/session/session.ts";
import { isAlive } from "../link/processTree.ts";

/** Manages the files of the CLI's sessions. Their formats are undocumented, so every field is checked. */
export type SessionFiles = ReturnType<typeof createSessionFiles>;

export function createSessionFiles(home: string) {
	const state = join(home, "session-state");
	// The trash is next to the sessions, so that one rename moves a whole folder.
	const trash = join(home, "copilot-ld-trash");
	const folderOf = (id: string) => join(state, checkId(id));
	const requireFree = async (id: string, except?: number) => {
		const pid = await openedBy(folderOf(id), except);
		if (pid !== undefined)
			throw new Failure("BUSY", `Process ${pid} has this session open. Close it there first.`);
	};
	return {
		ids: async () => (await readdir(state).catch(() => [])).filter(isId),
		folderOf,
		cwdOf: async (id: string) => {
			const text = await readFile(join(folderOf(id), "workspace.yaml"), "utf8").catch(() => "");
			const cwd = textOf(fieldsIn(text), "cwd");
			return cwd !== undefined && isAbsolute(cwd) ? cwd : undefined;
		},
		/** Rejects with a `Failure` if a process other than `except` has the session open. */
		requireFree,
		rename: async (id: string, title: string, except?: number) => {
			await requireFree(id, except);
			await renameIn(folderOf(id), title);
		},
		/**
		 * Moves a session to the trash. Rejects with a `Failure` if another process than `except` has the session open.
		 */
		delete: async (id: string, except?: number) => {
			await requireFree(id, except);
			await mkdir(trash, { recursive: true });
			await rename(folderOf(id), join(trash, id)).catch(notThere);
		},
		restore: async (id: string) => {
			await rename(join(trash, checkId(id)), folderOf(id)).catch(notThere);
		},
		/** Permanently removes sessions that were deleted before a time, in milliseconds since 1970. */
		emptyTrash: async (before: number) => {
			for (const name of await readdir(trash).catch(() => [])) {
				const folder = join(trash, name);
				// `ctime` is the time at which the folder was moved to the trash.
				const { ctimeMs } = await stat(folder);
				if (ctimeMs < before) await rm(folder, { recursive: true, force: true });
			}
		},
	};
}

/** Rejects ids that could leave the sessions' folder, because ids become paths. */
function checkId(id: string): string {
	if (isId(id)) return id;
	throw new Failure("NOT_FOUND", "The GitHub Copilot CLI has no such session.");
}

function isId(name: string): boolean {
	return /^[\w-]+$/.test(name);
}

/** A killed CLI leaves its `inuse.<pid>.lock` file behind, so only locks of live processes count. */
async function openedBy(folder: string, except?: number): Promise<number | undefined> {
	const names = await readdir(folder).catch(() => []);
	const pids = names.flatMap((name) => /^inuse\.(\d+)\.lock$/.exec(name)?.[1] ?? []).map(Number);
	return pids.find((pid) => pid !== except && isAlive(pid));
}

/** Sets `name`, which every list shows, and `user_named`, which keeps the CLI from choosing a new title. */
async function renameIn(folder: string, title: string): Promise<void> {
	const file = join(folder, "workspace.yaml");
	const document = parseDocument(await readFile(file, "utf8").catch(notThere));
	if (document.errors.length > 0)
		throw new Failure("STORE_UNREADABLE", `“${file}” cannot be read, so the session keeps its name.`);
	document.set("name", title.trim());
	document.set("user_named", true);
	const draft = `${file}.${process.pid}.tmp`;
	await writeFile(draft, document.toString());
	await rename(draft, file);
}

function notThere(error: NodeJS.ErrnoException): never {
	if (!isMissing(error)) throw error;
	throw new Failure("NOT_FOUND", "The GitHub Copilot CLI no longer has this session.", { cause: error });
}

const AT_ONCE = 16;
/** Maximum bytes of a description; the CLI writes smaller descriptions. */
const MOST_BYTES = 1_000_000;

interface Known {
	readonly stamp: string;
	readonly session: SessionSummary | undefined;
}

export type StoredSessions = ReturnType<typeof createStoredSessions>;

export function createStoredSessions(
	{ ids: idsIn, folderOf }: SessionFiles,
	toUri: (path: string) => string,
) {
	let known: ReadonlyMap<string, Known> = new Map();
	const eventsOf = (id: string) => join(folderOf(id), "events.jsonl");
	const look = async (id: string): Promise<[string, Known] | undefined> => {
		const description = join(folderOf(id), "workspace.yaml");
		const [events, described] = await Promise.all([stat(eventsOf(id)), stat(description)].map(orNothing));
		if (!events?.isFile() || !described?.isFile() || described.size > MOST_BYTES) return undefined;
		const stamp = `${events.mtimeMs} ${events.size} ${described.mtimeMs}`;
		const before = known.get(id);
		if (before?.stamp === stamp) return [id, before];
		const fields = fieldsIn((await orNothing(readFile(description, "utf8"))) ?? "");
		const title = titleIn(fields) ?? (await firstQuestion(eventsOf(id)));
		const updatedAt = Math.round(events.mtimeMs);
		const found = { id, title: title ?? "", updatedAt };
		const session = title === undefined ? undefined : { ...found, ...detailsOf(fields, updatedAt, toUri) };
		return [id, { stamp, session }];
	};
	return {
		eventsOf,
		/** Lists sessions with a question, latest first. `turns` and `tokens` are 0 until a session is read. */
		list: async (): Promise<readonly SessionSummary[]> => {
			const looked = await inParallel(await idsIn(), AT_ONCE, look, new AbortController().signal);
			const found = looked.filter((each) => each !== undefined);
			known = new Map(found);
			const sessions = found.flatMap(([, { session }]) => session ?? []);
			return sessions.sort((a, b) => b.updatedAt - a.updatedAt);
		},
	};
}

/** Resolves with `undefined` if reading fails, because the CLI may be creating or deleting the file. */
async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
	return reading.catch(() => undefined);
}

function fieldsIn(description: string): unknown {
	try {
		return parse(description);
	} catch {
		return undefined;
	}
}

function titleIn(fields: unknown): string | undefined {
	return lineOf(textOf(fields, "name")) ?? lineOf(textOf(fields, "summary"));
}

async function firstQuestion(file: string): Promise<string | undefined> {
	try {
		for await (const { data } of readStoredEvents(file, ["user.message"]))
			return lineOf(textOf(data, "content")) ?? "Untitled session";
	} catch {
		// A file that cannot be read has no title.
	}
	return undefined;
}

function lineOf(text = ""): string | undefined {
	return text.replace(/[\s\p{Cc}]+/gu, " ").trim() || undefined;
}

function detailsOf(fields: unknown, updatedAt: number, toUri: (path: string) => string) {
	const cwd = textOf(fields, "cwd");
	const createdAt = Date.parse(textOf(fields, "created_at") ?? "") || updatedAt;
	const unknown = { engine: "cli", turns: 0, tokens: 0, archived: false } as const;
	return { ...unknown, createdAt, workspace: cwd ? toUri(cwd) : "" };
}

/** A line of a session's `events.jsonl`. Only the type is certain. */
export interface StoredEvent {
	readonly type: string;
	/** Milliseconds since 1970; 0 if unknown. */
	readonly at: number;
	readonly data: unknown;
}

/** Reads events of some types, oldest first. Skips invalid lines, because the CLI may be writing. */
export async function* readStoredEvents(file: string, types: readonly string[], signal?: AbortSignal) {
	const input = createReadStream(file, { ...(signal && { signal }) });
	const marks = types.map((type) => `"${type}"`);
	try {
		for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
			if (!marks.some((mark) => line.includes(mark))) continue;
			const event = toEvent(parseJson(line));
			if (types.includes(event.type)) yield event;
		}
	} catch (thrown) {
		if (!isMissing(thrown)) throw thrown;
	} finally {
		input.destroy();
	}
}

function toEvent(value: unknown): StoredEvent {
	const at = Date.parse(textOf(value, "timestamp") ?? "") || 0;
	return { type: textOf(value, "type") ?? "", at, data: fieldOf(value, "data") };
}
