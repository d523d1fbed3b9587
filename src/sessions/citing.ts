import { ifThere } from "../base/failure.ts";
import type { JournalEntry } from "../core/session/journalEntry.ts";
import type { CitingTurn, Sessions } from "../core/session/session.ts";
import type { Journals } from "./journal/journals.ts";
import type { Overview } from "./journal/overview.ts";
import { sessionsFor } from "./searchSessions.ts";

/** Sessions that are looked through: those that were used last. */
const MOST_SESSIONS = 300;

interface CitingParts {
	readonly overview: Overview;
	readonly journals: Pick<Journals, "entries">;
}

type CitedPlace = CitingTurn & { readonly path: string };

/** Finds the answers that cite a document. A journal is read again only after it has grown. */
export function createCiting({ overview, journals }: CitingParts): Sessions["citing"] {
	const read = new Map<string, { readonly end: number; readonly places: readonly CitedPlace[] }>();
	const placesOf = async (session: string): Promise<readonly CitedPlace[]> => {
		const end = overview.digests().get(session)?.end ?? 0;
		const known = read.get(session);
		if (known?.end === end) return known.places;
		const entries = (await ifThere(() => journals.entries(session))) ?? [];
		const places = placesIn(session, entries);
		read.set(session, { end, places });
		return places;
	};
	return async ({ workspace, path }, signal) => {
		await overview.refreshRecent();
		const sessions = [...sessionsFor({ workspace }, overview).values()]
			.sort((a, b) => b.updatedAt - a.updatedAt)
			.slice(0, MOST_SESSIONS);
		const found: CitingTurn[] = [];
		for (const { id } of sessions) {
			signal.throwIfAborted();
			for (const { path: cited, ...turn } of await placesOf(id)) if (cited === path) found.push(turn);
		}
		return found;
	};
}

/** Turns that were copied from another session count there. */
function placesIn(session: string, entries: readonly JournalEntry[]): CitedPlace[] {
	const begun = entries.find((entry) => entry.kind === "session");
	const copied = begun?.kind === "session" ? (begun.forkOf?.turns ?? 0) : 0;
	return entries.flatMap((entry) =>
		entry.kind === "answer" && entry.turn >= copied
			? (entry.spans ?? []).map(({ path, lines: { start, end } }) => ({
					session,
					turn: entry.turn,
					path,
					lines: { start, end },
				}))
			: [],
	);
}
