import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure, ifThere } from "../base/failure.ts";
import { createIntent, folderSize, onDisk } from "../base/files/file.ts";
import { coalesce } from "../base/jobs/coalesce.ts";
import type { Embedder } from "../core/knowledge/embedder.ts";
import type { JournalEntry } from "../core/session/journalEntry.ts";
import type { Memory, Reader } from "../core/session/memory.ts";
import type { Sessions } from "../core/session/session.ts";
import type { SessionData } from "../core/storedData.ts";
import { createFacts, type Facts } from "./facts/facts.ts";
import { emptyDigest } from "./journal/digest.ts";
import { allFiles, createJournals, removeOld } from "./journal/journals.ts";
import { createOverview } from "./journal/overview.ts";
import { isMessage, toTranscript } from "./journal/transcript.ts";
import { createMessageIndex } from "./messages/messageIndex.ts";
import { recall, type SearchParts, searchSessions, sessionsFor, stepsBelow } from "./searchSessions.ts";
import type { Visibility } from "./visibility/visibility.ts";

export interface SessionsOptions {
	/** Absolute path of the folder with the journals and derived data, which all windows share. */
	readonly folder: string;
	/** Owner of the sessions and memory. Data of other persons in the folder stays unchanged and hidden. */
	readonly reader: Reader;
	/** If `undefined`, searches use words only. */
	readonly embedder: Embedder | undefined;
	readonly visibility: Visibility;
	readonly onChange: () => void;
	readonly onError: (thrown: unknown) => void;
}

export interface SessionStore {
	readonly sessions: Sessions;
	readonly memory: Memory;
	readonly sessionData: SessionData;
	/** Resolves when the saved index is up to date, unless another process is writing it. */
	settle(): Promise<void>;
	close(): Promise<void>;
}

interface Parts extends SessionsOptions, SearchParts {
	readonly derived: string;
	readonly facts: Facts;
	/** Reads changed journals again and announces the changes. Never rejects; callers need not wait. */
	readonly follow: (ids: readonly string[]) => Promise<void>;
}

export function openSessions(options: SessionsOptions): SessionStore {
	const { folder, reader, onChange, onError } = options;
	const journals = createJournals(folder, reader);
	const derived = derivedFolder(folder, reader);
	const overview = createOverview({ ...options, derived, journals });
	const index = createMessageIndex({ ...options, derived, journals, overview });
	const facts = createFacts(options);
	const changed = new Set<string>();
	const update = coalesce(async () => {
		const ids = [...changed];
		changed.clear();
		if (ids.length > 0) await overview.update(ids).then(onChange);
	});
	const background = new Set<Promise<void>>();
	const unawaited = (work: Promise<void>) => {
		const settled = work.catch(onError).finally(() => background.delete(settled));
		background.add(settled);
	};
	const follow = (ids: readonly string[]) => {
		for (const id of ids) changed.add(id);
		const updated = update();
		unawaited(updated.then(index.catchUp));
		return updated.catch(() => undefined);
	};
	const parts = { ...options, derived, journals, overview, index, facts, follow };
	const { resume, ...sessionData } = createSessionData(parts);
	// Read changes of other processes, and finish interrupted work.
	const opened = resume().catch(onError).then(overview.refresh).then(index.catchUp);
	unawaited(opened.then(journals.emptyTrash).then(() => removeOutdated(folder, derived)));
	return {
		sessionData,
		sessions: createSessions(parts),
		memory: {
			...facts,
			recall: async (query, signal) => {
				// Facts are available even if sessions are unreadable.
				await opened.catch(() => undefined);
				await update();
				return recall(parts, query, signal);
			},
		},
		settle: async () => {
			await opened.catch(() => undefined);
			await overview.refresh();
			await index.settle();
		},
		close: async () => {
			await index.close();
			await Promise.all(background);
		},
	};
}

function createSessions(parts: Parts): Sessions {
	const { journals, overview, follow } = parts;
	return {
		append: async (id, entries) => {
			await journals.append(id, await withRules(entries, parts.visibility));
			void follow([id]);
		},
		list: async (query) => {
			await overview.refresh();
			const found = sessionsFor(query, overview).sort((a, b) => b.updatedAt - a.updatedAt);
			const { offset = 0, limit } = query;
			return { sessions: found.slice(offset, offset + limit), total: found.length };
		},
		read: async (id) => {
			const entries = await journals.entries(id);
			await overview.update([id]);
			const { summary } = overview.digests().get(id) ?? emptyDigest(id);
			return toTranscript(summary, entries);
		},
		search: (query, signal) => searchSessions(parts, query, signal),
		fork: async (id, turns) => {
			const fork = await journals.fork(id, turns);
			void follow([fork]);
			return fork;
		},
		delete: async (id) => {
			// Read the steps before the journal that names them is deleted. A missing step is not an error.
			const steps = await stepsBelow(id, journals);
			await journals.delete(id);
			for (const step of steps) await ifThere(() => journals.delete(step));
			await follow([id, ...steps]);
		},
		listDeleted: async () => {
			const deleted = await journals.deleted();
			const ids = new Set(deleted.map(({ id }) => id));
			return deleted.filter(({ partOf }) => !partOf || !ids.has(partOf.session));
		},
		restore: async (id) => {
			await journals.restore(id);
			const steps = await stepsBelow(id, journals, journals.restore);
			await follow([id, ...steps]);
		},
	};
}

/** Adds the current policies to messages. They decide later whether the messages may be recalled. */
async function withRules(entries: readonly JournalEntry[], visibility: Visibility) {
	if (!entries.some(isMessage)) return entries;
	const rules = await visibility.rules();
	return rules ? entries.map((entry) => (isMessage(entry) ? { ...entry, rules } : entry)) : entries;
}

function createSessionData({ folder, reader, derived, facts, index, follow }: Parts) {
	const clearing = createIntent(`${derived}.clearing`);
	/** Deletes sessions from before the beginning of the deletion, and then the data derived from them. */
	const erase = async () => {
		const begunAt = await clearing.begunAt();
		if (begunAt === undefined) return;
		await follow(await removeOld(allFiles(folder, reader), begunAt));
		if (!(await index.discard())) throw new Failure("BUSY", ANOTHER_WINDOW);
		// Data that was derived while only one of the person's identities was known.
		const earlier = reader.map((person) => derivedFolder(folder, [person]));
		await removeAll(earlier.filter((path) => path !== derived));
		await clearing.end();
	};
	return {
		sizes: async () => {
			const files = await allFiles(folder, reader);
			const bytes = files.reduce((sum, { size }) => sum + size, await folderSize(derived));
			return { sessions: { items: files.length, bytes }, memory: await facts.size() };
		},
		clear: (part: "sessions" | "memory") =>
			onDisk(part === "memory" ? "Clearing the memory" : "Clearing the sessions", async () => {
				if (part === "memory") return facts.clear();
				await clearing.begin();
				await erase();
			}),
		resume: erase,
	};
}

/** Removes two kinds of files of old versions: derived data of all persons together, and a table of messages. */
function removeOutdated(folder: string, derived: string): Promise<void> {
	const mixed = ["summaries.jsonl", "index"].map((name) => join(folder, name));
	return removeAll([...mixed, join(derived, "index", "messages.lance")]);
}

async function removeAll(paths: readonly string[]): Promise<void> {
	for (const path of paths) await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

const ANOTHER_WINDOW =
	"The sessions were deleted, but another window is using the index over them. Clear the sessions again.";

/** Each reader has a folder of derived data, which therefore never contains messages of other persons. */
export function derivedFolder(folder: string, reader: Reader): string {
	const names = reader.map(({ source, id }) => JSON.stringify([source, id])).sort();
	return join(folder, "derived", createHash("sha256").update(names.join()).digest("hex").slice(0, 16));
}
