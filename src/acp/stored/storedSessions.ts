import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { textOf } from "../../base/values.ts";
import type { SessionSummary } from "../../core/session/session.ts";
import type { SessionFiles } from "./sessionFiles.ts";
import { readStoredEvents } from "./storedEvents.ts";

/** Folders read at the same time. */
const AT_ONCE = 16;
/** The CLI writes no longer description. */
const MOST_BYTES = 1_000_000;

/** The CLI's sessions, read from its folders; it need not run. */
export interface StoredSessions {
	/** Sessions with a question, most recently used first. `turns` and `tokens` are 0 until a session is read. */
	list(): Promise<readonly SessionSummary[]>;
	eventsOf(id: string): string;
}

interface Known {
	/** Changes with the files. */
	readonly stamp: string;
	readonly session: SessionSummary | undefined;
}

/** `toUri` turns a folder into the editor's URI. Unchanged files are not read again. */
export function createStoredSessions(
	{ ids: idsIn, folderOf }: SessionFiles,
	toUri: (path: string) => string,
): StoredSessions {
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
		const session = title === undefined ? undefined : toSummary({ id, title, updatedAt }, fields, toUri);
		return [id, { stamp, session }];
	};
	return {
		eventsOf,
		list: async () => {
			const ids = await idsIn();
			const found: [string, Known][] = [];
			for (let at = 0; at < ids.length; at += AT_ONCE) {
				const looked = await Promise.all(ids.slice(at, at + AT_ONCE).map(look));
				found.push(...looked.filter((each) => each !== undefined));
			}
			known = new Map(found);
			const sessions = found.flatMap(([, { session }]) => session ?? []);
			return sessions.sort((a, b) => b.updatedAt - a.updatedAt);
		},
	};
}

/** Skips what cannot be read: the CLI may be creating or deleting it. */
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

/** As the CLI's own list shows it. */
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

function toSummary(
	known: Pick<SessionSummary, "id" | "title" | "updatedAt">,
	fields: unknown,
	toUri: (path: string) => string,
): SessionSummary {
	const cwd = textOf(fields, "cwd");
	const createdAt = Date.parse(textOf(fields, "created_at") ?? "") || known.updatedAt;
	return {
		...known,
		createdAt,
		engine: "cli",
		turns: 0,
		tokens: 0,
		archived: false,
		workspace: cwd ? toUri(cwd) : "",
	};
}
