import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { appendLines, readLines } from "../../base/files/jsonLines.ts";
import { parseJson } from "../../base/values.ts";
import { type JournalEntry, person } from "../../core/session/journalEntry.ts";
import { type SessionSummary, sessionSummary } from "../../core/session/session.ts";
import { isMessage } from "./transcript.ts";

const TITLE = 80;
const UNTITLED = "New session";

const digest = z.object({
	summary: sessionSummary,
	isBegun: z.boolean(),
	person: z.exactOptional(person),
	/** Whether the user set the title, so that questions do not replace it. */
	isTitled: z.boolean(),
	/** Offset in bytes up to which the journal has been read. */
	end: z.number(),
	/** Offset in bytes of the end of the last question or answer; 0 without messages. */
	messagesEnd: z.number(),
});

export type Digest = Readonly<z.infer<typeof digest>>;

export function emptyDigest(id: string): Digest {
	const unused = { createdAt: 0, updatedAt: 0, turns: 0, tokens: 0, archived: false };
	const summary: SessionSummary = { id, title: UNTITLED, engine: "model", workspace: "", ...unused };
	return { summary, isBegun: false, isTitled: false, end: 0, messagesEnd: 0 };
}

export function digestEntry(digest: Digest, entry: JournalEntry, end: number): Digest {
	return {
		...digest,
		summary: { ...digest.summary, ...changesBy(entry, digest), ...timesOf(entry, digest) },
		...(entry.kind === "session" &&
			!digest.isBegun && { isBegun: true, ...(entry.person && { person: entry.person }) }),
		isTitled: digest.isTitled || (entry.kind === "titled" && titleOf(entry.title) !== ""),
		end,
		messagesEnd: isMessage(entry) ? end : digest.messagesEnd,
	};
}

function changesBy(entry: JournalEntry, { summary, isTitled }: Digest): Partial<SessionSummary> {
	switch (entry.kind) {
		case "session": {
			// Another process may have started the session, too, so the first entry counts.
			if (summary.createdAt > 0) return {};
			const { engine, workspace, partOf } = entry;
			return { engine, workspace, ...(partOf && { partOf }) };
		}
		case "question":
			return { turns: summary.turns + 1, ...(summary.turns === 0 && !isTitled && titledBy(entry.text)) };
		case "answer":
			return { tokens: summary.tokens + (entry.inputTokens ?? 0) + (entry.outputTokens ?? 0) };
		case "titled":
			return titledBy(entry.title) ?? {};
		case "archived":
			return { archived: entry.archived };
		default:
			return {};
	}
}

/** Titles, archiving and summaries do not count as use of a session. */
function timesOf({ kind, at }: JournalEntry, { summary }: Digest): Partial<SessionSummary> {
	const createdAt = summary.createdAt || at;
	const isUse = !["titled", "archived", "summarized"].includes(kind);
	return { createdAt, updatedAt: isUse ? Math.max(summary.updatedAt, at) : summary.updatedAt || at };
}

/** Returns `undefined` for a blank title, which is ignored. */
function titledBy(text: string): { readonly title: string } | undefined {
	const title = titleOf(text);
	return title === "" ? undefined : { title };
}

function titleOf(text: string): string {
	const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
	const characters = [...line];
	if (characters.length <= TITLE) return line;
	const beginning = characters.slice(0, TITLE - 1).join("");
	return `${beginning.trimEnd()}…`;
}

/** Version of the fields. Lines of other versions are ignored. */
const VERSION = 3;
/** The file is rewritten if it has this many lines more than twice the number of sessions. */
const SLACK = 1000;

export interface KnownFile {
	readonly digest: Digest;
	/** Size in bytes. `mtimeMs` is in milliseconds since 1970. Both come from the file system. */
	readonly size: number;
	readonly mtimeMs: number;
}

const cachedFile = z.compile(
	z.object({ version: z.literal(VERSION), digest, size: z.number(), mtimeMs: z.number() }),
);

/** Keeps digests on disk for a quick start. A line is valid for one size and time of the journal. */
export function createDigestCache(home: string) {
	const path = join(home, "summaries.jsonl");
	const toLine = (file: KnownFile) => ({ version: VERSION, ...file });
	let lines = 0;
	return {
		/** If a session has several lines, the last line is valid. */
		load: async () => {
			const read = await readLines(path).catch(() => ({ lines: [] }));
			lines = read.lines.length;
			return read.lines.flatMap(({ text }) => cachedFile.safeParse(parseJson(text)).data ?? []);
		},
		save: async (changed: readonly KnownFile[], all: ReadonlyMap<string, KnownFile>) => {
			try {
				lines += changed.length;
				if (lines <= 2 * all.size + SLACK)
					return await appendLines(path, changed.map(toLine), { durable: false });
				lines = all.size;
				const draft = `${path}.${process.pid}`;
				const rewritten = Array.from(all.values(), (file) => `${JSON.stringify(toLine(file))}\n`).join("");
				await writeFile(draft, rewritten, { mode: 0o600 });
				await rename(draft, path);
			} catch {
				// Without the cache, digests are read again from the journals.
				await rm(path, { force: true }).catch(() => undefined);
			}
		},
	};
}
