import * as z from "zod/mini";
import { DOORS, type RulesByDoor } from "../permission/permission.ts";
import { envelope } from "./envelope.ts";
import { storedEvent } from "./storedEvent.ts";

export const ENGINES = ["model", "cli", "mcp"] as const;
export const ENGINE_NAMES = { model: "Copilot-LD", cli: "GitHub Copilot CLI", mcp: "MCP" } as const;
const OUTCOMES = ["done", "roundLimit", "cancelled", "failed"] as const;

const at = z.number();
const text = z.string();
/** From 0. */
const turn = z.int().check(z.nonnegative());

/** A field that may be missing is as good as missing where it cannot be read. */
export function maybe<Schema extends z.ZodMiniType>(schema: Schema) {
	return z.catch(z.optional(schema), undefined);
}

const texts = z.pipe(
	z.catch(z.array(z.unknown()), []),
	z.transform((items): readonly string[] => items.filter((item) => typeof item === "string")),
);

export const rulesByDoor: z.ZodMiniType<RulesByDoor> = z.looseRecord(z.enum(DOORS), z.array(text));

/** Nobody reads what belongs to this one: a person that cannot be read is not taken for none. */
export const person: z.ZodMiniType<Person> = z.catch(
	z.object({ source: text, id: text.check(z.minLength(1)), label: z.catch(text, "") }),
	{ source: "", id: "", label: "" },
);

/** A session that is a step of a chain goes where its chain goes, and is shown under it. `session` is the chain's. */
export const partOf = z.object({ session: text, step: text });

/** Lines that an answer cited, as they were then: enough to know them again, and nothing of their text. */
const citedSpan = z.object({
	path: text,
	lines: z.object({
		start: z.int().check(z.positive()),
		end: z.int().check(z.positive()),
		part: z.exactOptional(text),
		columns: z.exactOptional(text),
	}),
	/** Ignores indentation and blank lines. */
	hash: text,
	/** Hashes of their longest words. */
	words: z.readonly(z.array(text)),
});

/** From whom to whom it is. Lines of earlier versions say nothing of it; what cannot be read is as good as not there. */
const message = maybe(envelope);

/** One line of a journal. Readers skip lines of kinds that they do not know. */
export const journalEntry = z.discriminatedUnion("kind", [
	z.object({
		kind: z.literal("session"),
		at,
		engine: z.catch(z.enum(ENGINES), "model"),
		workspace: z.catch(text, ""),
		/** Written by whoever keeps the journal. A session that carries none belongs to everyone who reads the folder. */
		person: z.exactOptional(person),
		/** The session that it goes on from, and how many turns of it were copied. */
		forkOf: maybe(z.object({ session: text, turns: turn })),
		partOf: maybe(partOf),
	}),
	z.object({
		kind: z.literal("question"),
		at,
		turn,
		text,
		command: maybe(text),
		/** Names of what was attached. */
		attachments: texts,
		/** What was hidden then. Who keeps the journals adds it. */
		rules: maybe(rulesByDoor),
		message,
	}),
	/** What a person saw of the turn; the words of the answer stand in `answer` only. */
	z.object({ kind: z.literal("event"), at, turn, event: storedEvent, message }),
	z.object({
		kind: z.literal("answer"),
		at,
		turn,
		/** Markdown with citations in brackets; of a turn cut short, what there was. */
		text,
		outcome: z.catch(z.enum(OUTCOMES), "done"),
		inputTokens: maybe(z.number()),
		outputTokens: maybe(z.number()),
		/** Why the turn failed, in words for the user. */
		error: maybe(text),
		spans: maybe(z.readonly(z.array(citedSpan))),
		/** As of a question. */
		rules: maybe(rulesByDoor),
		message,
	}),
	/** What the person wants of every answer from now on; empty if they want nothing any more. */
	z.object({ kind: z.literal("instructions"), at, text }),
	/** The first turns in short, for the model's window; `of` tells the turns by their words. */
	z.object({ kind: z.literal("summarized"), at, turns: z.int().check(z.positive()), text, of: text }),
	z.object({ kind: z.literal("titled"), at, title: text }),
	z.object({ kind: z.literal("archived"), at, archived: z.catch(z.boolean(), false) }),
]);

export type CitedSpan = Readonly<z.infer<typeof citedSpan>>;
export type JournalEntry = Readonly<z.infer<typeof journalEntry>>;
/** What answers a session: a model of VS Code, the Copilot CLI, or our tools alone, for a client of the MCP program. */
export type Engine = (typeof ENGINES)[number];
/** How a turn ended. One that has no outcome is at work, or its process died. */
export type Outcome = (typeof OUTCOMES)[number];
export type PartOf = Readonly<z.infer<typeof partOf>>;

/** Who a session or a fact belongs to. */
export interface Person {
	/** What gave the id: "github", or "system" for a user of the operating system. Other versions may know others. */
	readonly source: string;
	readonly id: string;
	readonly label: string;
}

/** A person by all their names; new data carries the first. Data with any of them, or with none, is theirs. */
export type Reader = readonly [Person, ...Person[]];

export function belongsTo(reader: Reader, person: Person | undefined): boolean {
	return (
		person === undefined || reader.some((name) => name.source === person.source && name.id === person.id)
	);
}
