import { Failure } from "../../src/base/failure.ts";
import type {
	SessionHit,
	SessionQuery,
	SessionSummary,
	Sessions,
	Transcript,
	TranscriptTurn,
} from "../../src/core/session/session.ts";
import { times } from "../support/times.ts";

export interface FakeSessions extends Sessions {
	readonly deleted: Set<string>;
	transcripts: readonly Transcript[];
	/** Set when a session is changed. */
	isChanged: boolean;
}

/** Sessions in memory, most recently used first. */
export function createFakeSessions(given: readonly Transcript[] = []): FakeSessions {
	const deleted = new Set<string>();
	const change = (id: string, part: Partial<SessionSummary>) => {
		const changed = (session: SessionSummary) => (session.id === id ? { ...session, ...part } : session);
		sessions.transcripts = sessions.transcripts.map((each) => ({ ...each, session: changed(each.session) }));
	};
	const find = (id: string) => {
		const found = sessions.transcripts.find(({ session }) => session.id === id);
		if (!found || deleted.has(id)) throw new Failure("NOT_FOUND", "There is no such session any more.");
		return found;
	};
	const sessions: FakeSessions = {
		...{ deleted, transcripts: given, isChanged: false },
		append: async (id, entries) => {
			for (const entry of entries) if (entry.kind === "titled") change(id, { title: entry.title });
			sessions.isChanged = true;
		},
		list: async (query) => {
			const { offset = 0, limit } = query;
			const all = sessions.transcripts.map(({ session }) => session).filter(({ id }) => !deleted.has(id));
			const met = all.filter((session) => isMet(session, query));
			return { sessions: met.slice(offset, offset + limit), total: met.length };
		},
		read: async (id) => find(id),
		listDeleted: async () => [],
		search: async ({ text }) => {
			const hits = sessions.transcripts.flatMap(({ session, turns }) =>
				turns.map(({ turn, question: excerpt }): SessionHit => {
					return { session, turn, excerpt, role: "question", score: 1 };
				}),
			);
			return hits.filter(({ excerpt }) => excerpt.includes(text));
		},
		fork: async (id) => `${id}-fork`,
		delete: async (id) => {
			deleted.add(id);
			sessions.isChanged = true;
		},
		restore: async (id) => {
			if (!deleted.delete(id)) throw new Failure("NOT_FOUND", "There is no such session.");
			sessions.isChanged = true;
		},
	};
	return sessions;
}

function isMet(session: SessionSummary, query: SessionQuery): boolean {
	const { engine, workspace, since = 0, archived = false, steps = false } = query;
	return (
		(session.partOf !== undefined) === steps &&
		session.archived === archived &&
		session.updatedAt >= since &&
		(engine === undefined || session.engine === engine) &&
		(workspace === undefined || session.workspace === workspace)
	);
}

const HOUR = 3_600_000;

/** Returns `count` sessions, an hour apart. */
export function manySessions(count: number): Transcript[] {
	return times(count, oneSession);
}

export function oneSession(index: number): Transcript {
	const at = Date.now() - (index + 1) * HOUR;
	const session: SessionSummary = {
		...{ id: `s${index}`, title: `Session ${index} about the lamps of the isles` },
		engine: index % 3 === 0 ? "cli" : "model",
		workspace: index % 2 === 0 ? "file:///home/ada/isles" : "file:///home/ada/other",
		...{ createdAt: at, updatedAt: at, turns: 2, tokens: 1200 + index, archived: false },
	};
	const turns = [0, 1].map((turn) => oneTurn(turn, { question: `Question ${turn} of session ${index}` }));
	return { session, turns };
}

export function oneTurn(turn: number, part: Partial<TranscriptTurn>): TranscriptTurn {
	return {
		...{ turn, at: Date.now() - HOUR, attachments: [], events: [], outcome: "done", tokens: 600 },
		...{ question: "Who keeps the lamp?", answer: "Lotte Varga keeps it." },
		...part,
	};
}
