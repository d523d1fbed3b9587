import * as z from "zod/mini";
import { parseJson } from "../../base/values.ts";
import { type JournalEntry, journalEntry } from "../../core/session/journalEntry.ts";

/** Thousands of lines are read at a start. */
const schema = z.compile(journalEntry);

/** What a line of a journal says. Undefined for torn ones, and for kinds that this version does not know. */
export function parseEntry(line: string): JournalEntry | undefined {
	return schema.safeParse(parseJson(line)).data;
}
