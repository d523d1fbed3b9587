import * as z from "zod/mini";
import type { AgentEvent, ToolCall } from "../agent/agentEvent.ts";
import { eventSchema } from "../agent/eventSchema.ts";
import { DOORS, type RulesByDoor } from "../permission/permission.ts";
import { commandOf } from "../plugin/plugin.ts";
import type { Person } from "./memory.ts";

const ROLES = ["user", "cerebrum", "plugin", "system"] as const;
const word = z.string().check(z.minLength(1), z.maxLength(300));

/** A sender or a recipient. A `cerebrum` thinks: a model, the Copilot CLI, a step; it calls a `plugin`. */
const party = z.object({ role: z.enum(ROLES), id: word, name: z.string() });

/** Sender and recipient of a journal line; its content and time are separate fields. */
const envelope = z.object({
	id: word,
	/** A question and its answer have the same, and so do a call and its reply. */
	thread: word,
	sender: party,
	receiver: party,
	/** A MIME type, or `command` for a call and its reply. */
	contentType: z.string().check(z.regex(/^(?:command|[\w.+-]+\/[\w.+-]+)$/)),
});

export type Party = Readonly<z.infer<typeof party>>;
export type Envelope = Readonly<z.infer<typeof envelope>>;

/** A message of a turn, without what it says. */
export interface SentMessage extends Envelope {
	/** Milliseconds since 1970. */
	readonly at: number;
}

/** Whether an envelope fits its entry: a call goes from the caller to what is called, and a reply back. */
export function carries({ contentType, sender, receiver }: Envelope, call: ToolCall | undefined): boolean {
	if ((contentType === "command") !== (call !== undefined)) return false;
	if (call === undefined) return sender.role !== receiver.role;
	const called = partyCalled(call);
	const isIt = ({ role, id }: Party) => role === called.role && id === called.id;
	return call.name !== "" && isIt(sender) !== isIt(receiver);
}

/** The plugin that a call is for; for other tools, the tool. Each host puts its own prefix before our names. */
export function partyCalled({ name }: ToolCall): Party {
	const own = name.replace(/^copilot-ld[-_]/, "");
	const id = commandOf(own)?.plugin ?? own;
	return { role: "plugin", id: id.slice(0, 300) || "unknown", name: id.slice(0, 300) };
}

const text = z.string();

export const storedEvent: z.ZodMiniType<AgentEvent> = eventSchema;

export const ENGINES = ["model", "cli", "mcp"] as const;
export const ENGINE_NAMES = { model: "Copilot-LD", cli: "GitHub Copilot CLI", mcp: "MCP" } as const;
const OUTCOMES = ["done", "roundLimit", "cancelled", "failed"] as const;

const at = z.number();
/** From 0. */
const turn = z.int().check(z.nonnegative());

/** An optional field that cannot be read is treated as missing. */
export function maybe<Schema extends z.ZodMiniType>(schema: Schema) {
	return z.catch(z.optional(schema), undefined);
}

const texts = z.pipe(
	z.catch(z.array(z.unknown()), []),
	z.transform((items): readonly string[] => items.filter((item) => typeof item === "string")),
);

export const rulesByDoor: z.ZodMiniType<RulesByDoor> = z.looseRecord(z.enum(DOORS), z.array(text));

/** An unreadable person is not treated as missing: no reader matches this one, so its data stays hidden. */
export const person: z.ZodMiniType<Person> = z.catch(
	z.object({ source: text, id: text.check(z.minLength(1)), label: z.catch(text, "") }),
	{ source: "", id: "", label: "" },
);

/** A step's session moves with its chain and is shown below it. `session` is the chain's. */
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
		/** Set by the owner of the journal. A session without a person belongs to everyone who reads the folder. */
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
		/** What was hidden at that time, added by the owner of the journals. */
		rules: maybe(rulesByDoor),
		message,
	}),
	/** What the user saw of the turn; the text of the answer is in `answer` only. */
	z.object({ kind: z.literal("event"), at, turn, event: storedEvent, message }),
	z.object({
		kind: z.literal("answer"),
		at,
		turn,
		/** Markdown with citations in brackets; may be partial if the turn was cut short. */
		text,
		outcome: z.catch(z.enum(OUTCOMES), "done"),
		inputTokens: maybe(z.number()),
		outputTokens: maybe(z.number()),
		error: maybe(text),
		spans: maybe(z.readonly(z.array(citedSpan))),
		/** As of a question. */
		rules: maybe(rulesByDoor),
		message,
	}),
	/** The user's instructions for every answer from now on; empty to remove them. */
	z.object({ kind: z.literal("instructions"), at, text }),
	/** A summary of the first turns for the model's window; `of` is a digest of their texts. */
	z.object({ kind: z.literal("summarized"), at, turns: z.int().check(z.positive()), text, of: text }),
	z.object({ kind: z.literal("titled"), at, title: text }),
	z.object({ kind: z.literal("archived"), at, archived: z.catch(z.boolean(), false) }),
]);

export type CitedSpan = Readonly<z.infer<typeof citedSpan>>;
export type JournalEntry = Readonly<z.infer<typeof journalEntry>>;
export type EntryOf<Kind extends JournalEntry["kind"]> = Extract<JournalEntry, { kind: Kind }>;
/** What answers a session: a model of VS Code, the Copilot CLI, or our tools alone, for a client of the MCP program. */
export type Engine = (typeof ENGINES)[number];
/** How a turn ended. One that has no outcome is at work, or its process died. */
export type Outcome = (typeof OUTCOMES)[number];
export type PartOf = Readonly<z.infer<typeof partOf>>;
