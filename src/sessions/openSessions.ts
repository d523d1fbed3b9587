import { ifThere } from "../base/failure.ts";
import { coalesce } from "../base/jobs/coalesce.ts";
import type { Embedder } from "../core/knowledge/embedder.ts";
import type { JournalEntry } from "../core/session/journalEntry.ts";
import type { Memory, Reader } from "../core/session/memory.ts";
import type { SessionQuery, SessionSummary, Sessions } from "../core/session/session.ts";
import type { SessionData } from "../core/storedData.ts";
import { createFacts } from "./facts/facts.ts";
import { emptyDigest } from "./journal/digest.ts";
import { createJournals, type Journals } from "./journal/journals.ts";
import { createOverview, type Overview } from "./journal/overview.ts";
import { toTranscript } from "./journal/transcript.ts";
import { createMessageIndex, type MessageIndex } from "./messages/messageIndex.ts";
import { recall } from "./recall.ts";
import { restoreSteps, searchSessions, sessionsFor, stepsBelow } from "./searchSessions.ts";
import { createStoredSessions, derivedFolder } from "./storedSessions.ts";
import { recallSight, type Visibility } from "./visibility/visibility.ts";

export interface SessionPorts {
	readonly visibility: Visibility;
	readonly onChange: () => void;
	readonly onError: (thrown: unknown) => void;
}

export interface SessionsOptions extends SessionPorts {
	/** Absolute path of the folder that holds the journals and what is made of them. Windows share it. */
	readonly folder: string;
	/** The owner of the sessions and the memory; those of others in the folder stay unchanged and hidden. */
	readonly reader: Reader;
	/** Without one there is the search by words. */
	readonly embedder: Embedder | undefined;
}

export interface SessionStore {
	readonly sessions: Sessions;
	readonly memory: Memory;
	readonly sessionData: SessionData;
	/** Resolves when the index holds all that is on the disk, unless another process is at it. */
	settle(): Promise<void>;
	close(): Promise<void>;
}

interface Parts {
	readonly journals: Journals;
	readonly overview: Overview;
	readonly index: MessageIndex;
	readonly embedder: Embedder | undefined;
	readonly visibility: Visibility;
	/** Looks at changed journals again and announces them; need not be awaited, and never rejects. */
	readonly follow: (ids: readonly string[]) => Promise<void>;
}

export function openSessions(options: SessionsOptions): SessionStore {
	const { folder, reader, embedder, visibility, onChange, onError } = options;
	const journals = createJournals(folder, reader);
	const derived = derivedFolder(folder, reader);
	const overview = createOverview({ home: derived, reader, journals, onError });
	const index = createMessageIndex({ home: derived, overview, journals, embedder, onError });
	const facts = createFacts({ home: folder, reader, embedder, visibility });
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
	const stored = createStoredSessions({ folder, reader, facts, index, follow });
	// What other processes have written since the last time, and what an earlier one left over.
	const opened = stored.resume().catch(onError).then(overview.refresh).then(index.catchUp);
	unawaited(opened.then(journals.emptyTrash).then(stored.removeOutdated));
	return {
		sessionData: stored,
		sessions: createSessions({ journals, overview, index, embedder, visibility, follow }),
		memory: {
			...facts,
			recall: async (query, signal) => {
				// If the sessions cannot be read, the facts still can.
				await opened.catch(() => undefined);
				await update();
				const sight = await recallSight(query.door, visibility, journals.entries);
				return recall({ overview, index, embedder, facts, sight }, query, signal);
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
			const found = newestFor(query, overview);
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
			// Before it goes, for its journal names them; one that is gone already does not hold it back.
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
			const steps = await restoreSteps(id, journals);
			await follow([id, ...steps]);
		},
	};
}

/** Adds what was hidden during the turn, which decides whether it may be recalled. */
async function withRules(entries: readonly JournalEntry[], visibility: Visibility) {
	const isMessage = ({ kind }: JournalEntry) => kind === "question" || kind === "answer";
	if (!entries.some(isMessage)) return entries;
	const rules = await visibility.rules();
	return rules ? entries.map((entry) => (isMessage(entry) ? { ...entry, rules } : entry)) : entries;
}

function newestFor(query: SessionQuery, overview: Overview): SessionSummary[] {
	return [...sessionsFor(query, overview).values()].sort((a, b) => b.updatedAt - a.updatedAt);
}
