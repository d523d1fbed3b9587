import { join } from "node:path";
import * as z from "zod/mini";
import { onDisk, sizeOf } from "../../base/files/file.ts";
import { appendLines, blankLines, readLines } from "../../base/files/jsonLines.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { fieldOf, parseJson } from "../../base/values.ts";
import { maybe, person, rulesByChannel } from "../../core/session/journalEntry.ts";
import { belongsTo, type Fact, type Reader } from "../../core/session/memory.ts";

const by = z.catch(z.enum(["person", "model"]), "model");
const fact: z.ZodMiniType<Fact> = z
	.looseObject({
		id: z.string(),
		text: z.string(),
		scope: z.enum(["session", "workspace", "user"]),
		owner: z.exactOptional(z.string()),
		source: z.looseObject({ by, session: z.exactOptional(z.string()) }),
		person: z.exactOptional(person),
		rules: maybe(rulesByChannel),
		createdAt: z.number(),
		updatedAt: z.number(),
	})
	.check(z.refine(({ scope, owner }) => scope === "user" || owner !== undefined));

const factEntry = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("fact"), fact }),
	z.object({ kind: z.literal("edited"), id: z.string(), text: z.string(), at: z.number() }),
	z.object({ kind: z.literal("forgotten"), id: z.string(), at: z.number() }),
]);
type FactEntry = Readonly<z.infer<typeof factEntry>>;

/**
 * Keeps the facts of one person, which all windows of this person share. Ignores facts of other persons in the
 * file. Lines are only appended, except that the lines of a forgotten fact are overwritten with blanks.
 */
export function createFactLog(folder: string, reader: Reader) {
	const path = join(folder, "facts.jsonl");
	const facts = new Map<string, Fact>();
	let end = 0;
	const refresh = coalesce(async () => {
		const size = await sizeOf(path);
		if (size === end) return;
		if (size < end) {
			facts.clear();
			end = 0;
		}
		const read = await readLines(path, end);
		for (const { text } of read.lines) applyLine(text, facts, reader);
		end = read.end;
	});
	return {
		facts: () =>
			onDisk("Reading what is remembered", async () => {
				await refresh();
				return facts;
			}),
		append: (entry: FactEntry) => onDisk("Saving what is remembered", () => appendLines(path, [entry])),
		erase: (id: string) =>
			onDisk("Erasing what was remembered", () => blankLines(path, (text) => idIn(text) === id)),
		size: async () => {
			await refresh();
			const own = (await readLines(path)).lines.filter(({ text }) => isOwnFact(text, reader));
			return { items: facts.size, bytes: own.reduce((sum, { start, end }) => sum + end - start, 0) };
		},
		/** Forgets all facts in one step, and erases all texts, also of facts that were forgotten earlier. */
		clear: async () => {
			await refresh();
			const at = Date.now();
			const forgotten = [...facts.keys()].map((id): FactEntry => ({ kind: "forgotten", id, at }));
			if (forgotten.length > 0) await appendLines(path, forgotten);
			const { lines } = await readLines(path);
			// Also erases texts of facts that no longer exist.
			const ids = new Set(lines.filter(({ text }) => isOwnFact(text, reader)).map(({ text }) => idIn(text)));
			if (ids.size > 0) await blankLines(path, (text) => ids.has(idIn(text)));
		},
	};
}

function applyLine(text: string, facts: Map<string, Fact>, reader: Reader): void {
	const { data: entry } = factEntry.safeParse(parseJson(text));
	if (entry?.kind === "fact" && belongsTo(reader, entry.fact.person)) facts.set(entry.fact.id, entry.fact);
	if (entry?.kind === "forgotten") facts.delete(entry.id);
	const before = entry?.kind === "edited" && facts.get(entry.id);
	if (before) facts.set(entry.id, { ...before, text: entry.text, updatedAt: entry.at });
}

function isOwnFact(text: string, reader: Reader): boolean {
	const { data: entry } = factEntry.safeParse(parseJson(text));
	return entry?.kind === "fact" && belongsTo(reader, entry.fact.person);
}

function idIn(text: string): unknown {
	const line = parseJson(text);
	return fieldOf(fieldOf(line, "kind") === "edited" ? line : fieldOf(line, "fact"), "id");
}
