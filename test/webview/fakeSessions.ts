import { Failure } from "../../src/base/failure.ts";
import type { JournalEntry } from "../../src/core/session/journalEntry.ts";
import type {
	DeletedSession,
	SessionHit,
	SessionPage,
	SessionQuery,
	SessionSummary,
	Sessions,
	Transcript,
	TranscriptTurn,
} from "../../src/core/session/session.ts";
import { times } from "../support/times.ts";

/** Sessions in memory, used last, first. */
export class FakeSessions implements Sessions {
	readonly deleted = new Set<string>();
	/** How many rows each page gave that was asked for. */
	readonly pages: number[] = [];
	transcripts: Transcript[];
	/** Set when a session is changed. */
	isChanged = false;

	constructor(transcripts: readonly Transcript[]) {
		this.transcripts = [...transcripts];
	}

	async append(id: string, entries: readonly JournalEntry[]): Promise<void> {
		for (const entry of entries) {
			if (entry.kind === "titled") this.#change(id, { title: entry.title });
			if (entry.kind === "archived") this.#change(id, { archived: entry.archived });
		}
		this.isChanged = true;
	}

	async list(query: SessionQuery): Promise<SessionPage> {
		const met = this.#met(query);
		const sessions = met.slice(query.offset ?? 0, (query.offset ?? 0) + query.limit);
		this.pages.push(sessions.length);
		return { sessions, total: met.length };
	}

	async read(id: string): Promise<Transcript> {
		const found = this.transcripts.find(({ session }) => session.id === id);
		if (!found || this.deleted.has(id)) throw new Failure("NOT_FOUND", "There is no such session any more.");
		return found;
	}

	async listDeleted(): Promise<readonly DeletedSession[]> {
		return this.transcripts
			.filter(({ session }) => this.deleted.has(session.id))
			.map(({ session }) => ({ ...session, deletedAt: 0 }));
	}

	async search(query: SessionQuery & { readonly text: string }): Promise<readonly SessionHit[]> {
		const hits = this.transcripts.flatMap(({ session, turns }) =>
			turns.map(({ turn, question: excerpt }) => ({ session, turn, excerpt })),
		);
		const found = hits.filter(({ excerpt }) => excerpt.includes(query.text));
		return found.map((hit) => ({ ...hit, role: "question", score: 1 }));
	}

	async fork(id: string, turns: number): Promise<string> {
		const { session, turns: all } = await this.read(id);
		const fork = { ...session, id: `${id}-fork`, title: `${session.title} (fork)`, turns };
		this.transcripts = [{ session: fork, turns: all.slice(0, turns) }, ...this.transcripts];
		this.isChanged = true;
		return fork.id;
	}

	async delete(id: string): Promise<void> {
		this.deleted.add(id);
		this.isChanged = true;
	}

	async restore(id: string): Promise<void> {
		this.deleted.delete(id);
		this.isChanged = true;
	}

	#change(id: string, part: Partial<SessionSummary>): void {
		const changed = (session: SessionSummary) => (session.id === id ? { ...session, ...part } : session);
		this.transcripts = this.transcripts.map((each) => ({ ...each, session: changed(each.session) }));
	}

	#met({ engine, workspace, since = 0, archived = false, stepsOf }: SessionQuery): SessionSummary[] {
		return this.transcripts
			.map(({ session }) => session)
			.filter(
				(session) =>
					!this.deleted.has(session.id) &&
					(stepsOf === undefined ? !session.partOf : session.partOf?.session.startsWith(stepsOf)) &&
					session.archived === archived &&
					session.updatedAt >= since &&
					(engine === undefined || session.engine === engine) &&
					(workspace === undefined || session.workspace === workspace),
			);
	}
}

const HOUR = 3_600_000;

/** So many sessions, an hour apart. */
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
