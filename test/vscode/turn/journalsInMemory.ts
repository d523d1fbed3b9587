import { Failure } from "../../../src/base/failure.ts";
import type { JournalEntry } from "../../../src/core/session/journalEntry.ts";
import type { Sessions } from "../../../src/core/session/session.ts";
import { emptyDigest } from "../../../src/sessions/journal/digest.ts";
import { parseEntry } from "../../../src/sessions/journal/journalEntry.ts";
import { toTranscript } from "../../../src/sessions/journal/transcript.ts";

/** Journals in memory, whose lines are written and read as those on the disk. */
export function journalsInMemory() {
	const journals = new Map<string, string[]>();
	const linesOf = (id: string) => {
		const lines = journals.get(id);
		if (!lines) throw new Failure("NOT_FOUND", "There is no such session.");
		return lines;
	};
	const sessions: Pick<Sessions, "append" | "read"> = {
		append: async (id, entries) => {
			if (entries[0]?.kind === "session") journals.set(id, []);
			linesOf(id).push(...entries.map((entry) => JSON.stringify(entry)));
		},
		read: async (id) => {
			const entries = linesOf(id).map((line): JournalEntry | undefined => parseEntry(line));
			return toTranscript(
				emptyDigest(id).summary,
				entries.filter((entry) => entry !== undefined),
			);
		},
	};
	return { journals, sessions };
}
