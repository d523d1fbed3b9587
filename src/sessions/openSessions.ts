import { coalesce } from "../base/coalesce.ts";
import type { Embedder } from "../core/knowledge/embedder.ts";
import type { Memory } from "../core/session/memory.ts";
import type { JournalEntry, SessionPage, SessionQuery, Sessions } from "../core/session/session.ts";
import { createFacts } from "./facts/facts.ts";
import { type Catalogue, createCatalogue } from "./journal/catalogue.ts";
import { emptyDigest } from "./journal/digest.ts";
import { createJournals, type Journals } from "./journal/journals.ts";
import { toTranscript } from "./journal/transcript.ts";
import { createMessageIndex, type MessageIndex } from "./messages/messageIndex.ts";
import type { WriteLock } from "./messages/sharedTable.ts";
import { recall } from "./recall.ts";
import { searchSessions, sessionsFor } from "./searchSessions.ts";
import { recallSight, type Visibility } from "./visibility/visibility.ts";

export interface SessionsOptions {
	/** Absolute path of the folder that holds the journals and what is made of them. Windows share it. */
	readonly folder: string;
	/** Without one there is the search by words. */
	readonly embedder: Embedder | undefined;
	/** Of the index over the messages. */
	readonly lock: WriteLock;
	readonly visibility: Visibility;
	/** Called after this process has changed sessions, with their ids. */
	readonly onChange: (ids: readonly string[]) => void;
	/** Hears of what no caller waits for. */
	readonly onError: (thrown: unknown) => void;
}

/** The sessions and the memory of one folder. */
export interface SessionStore {
	readonly sessions: Sessions;
	readonly memory: Memory;
	/** Resolves when the index holds all that is on the disk, unless another process is at it. */
	settle(): Promise<void>;
	close(): Promise<void>;
}

interface Parts {
	readonly journals: Journals;
	readonly catalogue: Catalogue;
	readonly index: MessageIndex;
	readonly embedder: Embedder | undefined;
	readonly visibility: Visibility;
	/** Looks at changed journals again: soon, and not waited for. */
	readonly follow: (ids: readonly string[]) => void;
}

export function openSessions(options: SessionsOptions): SessionStore {
	const { folder, embedder, lock, visibility, onChange, onError } = options;
	const journals = createJournals(folder);
	const catalogue = createCatalogue(folder, journals, onError);
	const index = createMessageIndex({ home: folder, catalogue, journals, embedder, lock, onError });
	const facts = createFacts(folder, embedder, visibility);
	const changed = new Set<string>();
	const update = coalesce(async () => {
		const ids = [...changed];
		changed.clear();
		await catalogue.update(ids);
	});
	const background = new Set<Promise<void>>();
	const unawaited = (work: Promise<void>) => {
		const settled = work.catch(onError).finally(() => background.delete(settled));
		background.add(settled);
	};
	const follow = (ids: readonly string[]) => {
		for (const id of ids) changed.add(id);
		onChange(ids);
		unawaited(update().then(index.catchUp));
	};
	const refresh = async () => {
		await catalogue.refresh();
		await index.catchUp();
	};
	// What other processes have written since the last time, and what an earlier one left over.
	const opened = refresh();
	unawaited(opened.then(journals.emptyTrash));
	return {
		sessions: createSessions({ journals, catalogue, index, embedder, visibility, follow }),
		memory: {
			...facts,
			recall: async (query, signal) => {
				// Where the sessions cannot be read, the facts still can.
				await opened.catch(() => undefined);
				await update();
				const sight = await recallSight(query.door, visibility, journals.entries);
				return recall({ catalogue, index, embedder, facts, sight }, query, signal);
			},
		},
		settle: async () => {
			await catalogue.refresh();
			await index.settle();
		},
		close: async () => {
			await index.close();
			await Promise.all(background);
		},
	};
}

function createSessions(parts: Parts): Sessions {
	const { journals, catalogue, follow } = parts;
	return {
		append: async (id, entries) => {
			await journals.append(id, await withRules(entries, parts.visibility));
			follow([id]);
		},
		list: async (query) => {
			await catalogue.refresh();
			return pageOf(query, catalogue);
		},
		read: async (id) => {
			const entries = await journals.entries(id);
			await catalogue.update([id]);
			const { summary } = catalogue.digests().get(id) ?? emptyDigest(id);
			return toTranscript(summary, entries);
		},
		search: (query, signal) => searchSessions(parts, query, signal),
		fork: async (id, turns) => {
			const fork = await journals.fork(id, turns);
			follow([fork]);
			return fork;
		},
		delete: async (id) => {
			await journals.delete(id);
			await catalogue.update([id]);
			follow([id]);
		},
		restore: async (id) => {
			await journals.restore(id);
			await catalogue.update([id]);
			follow([id]);
		},
	};
}

/** What was hidden while a turn went on decides where it may be recalled. */
async function withRules(
	entries: readonly JournalEntry[],
	visibility: Visibility,
): Promise<readonly JournalEntry[]> {
	const isMessage = ({ kind }: JournalEntry) => kind === "question" || kind === "answer";
	if (!entries.some(isMessage)) return entries;
	const rules = await visibility.rules();
	return rules ? entries.map((entry) => (isMessage(entry) ? { ...entry, rules } : entry)) : entries;
}

function pageOf(query: SessionQuery, catalogue: Catalogue): SessionPage {
	const found = [...sessionsFor(query, catalogue).values()].sort((a, b) => b.updatedAt - a.updatedAt);
	const offset = query.offset ?? 0;
	return { sessions: found.slice(offset, offset + query.limit), total: found.length };
}
