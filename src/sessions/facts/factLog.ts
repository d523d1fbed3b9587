import { stat } from "node:fs/promises";
import { join } from "node:path";
import { coalesce } from "../../base/coalesce.ts";
import { isMissing, onDisk } from "../../base/fileError.ts";
import { appendLines, blankLines, isObject, parseLine, readLines } from "../../base/jsonLines.ts";
import type { Fact, FactScope } from "../../core/session/memory.ts";
import { belongsTo, type Reader } from "../../core/session/person.ts";
import { personOf, rulesOf } from "../journal/journalEntry.ts";

/** One line of the file of facts. Readers skip lines of kinds that they do not know. */
type FactEntry =
	| { readonly kind: "fact"; readonly fact: Fact }
	| { readonly kind: "edited"; readonly id: string; readonly text: string; readonly at: number }
	| { readonly kind: "forgotten"; readonly id: string; readonly at: number };

const SCOPES: readonly unknown[] = ["session", "workspace", "user"] satisfies FactScope[];

/** The facts of a person, of all their windows. Those of others in the same file are as if they were not there. Lines are only added to it, and blanked where they tell of what is forgotten. */
export interface FactLog {
	/** As any process has left them, oldest first. */
	facts(): Promise<ReadonlyMap<string, Fact>>;
	/** Resolves when the line is on the disk. */
	append(entry: FactEntry): Promise<void>;
	/** Takes the words of a forgotten fact off the disk. */
	erase(id: string): Promise<void>;
}

export function createFactLog(home: string, reader: Reader): FactLog {
	const path = join(home, "facts.jsonl");
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
		append: (entry) => onDisk("Saving what is remembered", () => appendLines(path, [entry])),
		erase: (id) => onDisk("Erasing what was remembered", () => blankLines(path, (text) => tellsOf(text, id))),
	};
}

async function sizeOf(path: string): Promise<number> {
	try {
		return (await stat(path)).size;
	} catch (thrown) {
		if (isMissing(thrown)) return 0;
		throw thrown;
	}
}

function applyLine(text: string, facts: Map<string, Fact>, reader: Reader): void {
	const line = parseLine(text);
	if (!isObject<"kind" | "fact" | "id" | "text" | "at">(line)) return;
	if (line.kind === "fact" && isFact(line.fact) && isOwn(line.fact, reader))
		facts.set(line.fact.id, withReadableRules(line.fact));
	if (typeof line.id !== "string" || typeof line.at !== "number") return;
	const before = facts.get(line.id);
	if (line.kind === "forgotten") facts.delete(line.id);
	if (line.kind === "edited" && before && typeof line.text === "string")
		facts.set(line.id, { ...before, text: line.text, updatedAt: line.at });
}

/** Rules that cannot be read are as none: then nobody knows what was hidden. */
function withReadableRules({ rules, ...fact }: Fact): Fact {
	return { ...fact, ...rulesOf(rules) };
}

/** What another process wrote may hold anything in the place of a person. */
function isOwn(fact: Fact, reader: Reader): boolean {
	return belongsTo(reader, "person" in fact ? personOf(fact.person) : undefined);
}

function tellsOf(text: string, id: string): boolean {
	const line = parseLine(text);
	if (!isObject<"kind" | "fact" | "id">(line)) return false;
	return (line.kind === "edited" && line.id === id) || (isObject<"id">(line.fact) && line.fact.id === id);
}

function isFact(value: unknown): value is Fact {
	if (!isObject<keyof Fact>(value) || !isObject<"by">(value.source)) return false;
	const isTold =
		typeof value.id === "string" && typeof value.text === "string" && SCOPES.includes(value.scope);
	const isOwned = value.scope === "user" || typeof value.owner === "string";
	return isTold && isOwned && typeof value.createdAt === "number" && typeof value.updatedAt === "number";
}
