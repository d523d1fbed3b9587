import * as z from "zod/mini";
import type { AgentEvent, ToolCall } from "../agent/agentEvent.ts";
import { eventSchema } from "../agent/eventSchema.ts";
import { CHANNELS, type RulesByChannel } from "../permission/permission.ts";
import { commandOf } from "../plugin/plugin.ts";
import type { Person } from "./memory.ts";

const ROLES = ["user", "cerebrum", "plugin", "system"] as const;
const word = z.string().check(z.minLength(1), z.maxLength(300));

/** Sender or recipient. A `cerebrum` is a model, the Copilot CLI or a chain step; a cerebrum calls a `plugin`. */
const party = z.object({ role: z.enum(ROLES), id: word, name: z.string() });

const envelope = z.object({
	id: word,
	/** Shared by a question and its answer, and by a call and its reply. */
	thread: word,
	sender: party,
	receiver: party,
	/** A MIME type, or `command` for a call and its reply. */
	contentType: z.string().check(z.regex(/^(?:command|[\w.+-]+\/[\w.+-]+)$/)),
});

export type Party = Readonly<z.infer<typeof party>>;
export type Envelope = Readonly<z.infer<typeof envelope>>;

export interface SentMessage extends Envelope {
	/** Milliseconds since 1970. */
	readonly at: number;
}

/**
 * Whether an envelope fits its call: either the sender or the receiver is what the call calls. Without a call, whether
 * the two parties have different roles.
 */
export function carries({ contentType, sender, receiver }: Envelope, call: ToolCall | undefined): boolean {
	if ((contentType === "command") !== (call !== undefined)) return false;
	if (call === undefined) return sender.role !== receiver.role;
	const called = partyCalled(call);
	const isIt = ({ role, id }: Party) => role === called.role && id === called.id;
	return call.name !== "" && isIt(sender) !== isIt(receiver);
}

/** The plugin that a call is for; for other tools, the tool. Hosts prefix our tools' names in different ways. */
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
/** Counted from 0. */
const turn = z.int().check(z.nonnegative());

/** Makes a field optional; an unreadable value is treated as missing. */
export function maybe<Schema extends z.ZodMiniType>(schema: Schema) {
	return z.catch(z.optional(schema), undefined);
}

const texts = z.pipe(
	z.catch(z.array(z.unknown()), []),
	z.transform((items): readonly string[] => items.filter((item) => typeof item === "string")),
);

export const rulesByChannel: z.ZodMiniType<RulesByChannel> = z.looseRecord(z.enum(CHANNELS), z.array(text));

/** An unreadable person becomes a person that no reader matches, so that the data stays hidden. */
export const person: z.ZodMiniType<Person> = z.catch(
	z.object({ source: text, id: text.check(z.minLength(1)), label: z.catch(text, "") }),
	{ source: "", id: "", label: "" },
);

/** The chain that a step's session belongs to. The session is listed below its chain and moves with the chain. */
export const partOf = z.object({ session: text, step: text });

/** A fingerprint of cited lines, to recognize the lines later without their text. */
const citedSpan = z.object({
	path: text,
	lines: z.object({
		start: z.int().check(z.positive()),
		end: z.int().check(z.positive()),
		part: z.exactOptional(text),
		columns: z.exactOptional(text),
	}),
	/** Hash that ignores indentation and blank lines. */
	hash: text,
	/** Hashes of the longest words. */
	words: z.readonly(z.array(text)),
});

/** Missing in lines of earlier versions. Unreadable envelopes are treated as missing. */
const message = maybe(envelope);

/** One line of a journal. Readers skip lines of unknown kinds. */
export const journalEntry = z.discriminatedUnion("kind", [
	z.object({
		kind: z.literal("session"),
		at,
		engine: z.catch(z.enum(ENGINES), "model"),
		workspace: z.catch(text, ""),
		/** Set by the owner of the journal. A session without a person belongs to everyone who reads the folder. */
		person: z.exactOptional(person),
		/** The continued session, and the number of turns copied from that session. */
		forkOf: maybe(z.object({ session: text, turns: turn })),
		partOf: maybe(partOf),
	}),
	z.object({
		kind: z.literal("question"),
		at,
		turn,
		text,
		command: maybe(text),
		attachments: texts,
		/** Policies when the question was asked, added by the owner of the journals. */
		rules: maybe(rulesByChannel),
		message,
	}),
	/** An event shown to the user. The text of the answer is in `answer` only. */
	z.object({ kind: z.literal("event"), at, turn, event: storedEvent, message }),
	z.object({
		kind: z.literal("answer"),
		at,
		turn,
		/** Markdown with citations in brackets; incomplete if the turn was interrupted. */
		text,
		outcome: z.catch(z.enum(OUTCOMES), "done"),
		inputTokens: maybe(z.number()),
		outputTokens: maybe(z.number()),
		error: maybe(text),
		spans: maybe(z.readonly(z.array(citedSpan))),
		/** Policies when the answer was written. */
		rules: maybe(rulesByChannel),
		message,
	}),
	/** The user's instructions for all later answers; empty to remove them. */
	z.object({ kind: z.literal("instructions"), at, text }),
	/** A summary that replaces the first turns in the model's window; `of` is a digest of these turns' text. */
	z.object({ kind: z.literal("summarized"), at, turns: z.int().check(z.positive()), text, of: text }),
	z.object({ kind: z.literal("titled"), at, title: text }),
	z.object({ kind: z.literal("archived"), at, archived: z.catch(z.boolean(), false) }),
]);

export type CitedSpan = Readonly<z.infer<typeof citedSpan>>;
export type JournalEntry = Readonly<z.infer<typeof journalEntry>>;
export type EntryOf<Kind extends JournalEntry["kind"]> = Extract<JournalEntry, { kind: Kind }>;
/** The engine of a session: a model of VS Code, the Copilot CLI, or only our tools for an MCP client. */
export type Engine = (typeof ENGINES)[number];
/** How a turn ended. A turn without an outcome is still running, or its process died. */
export type Outcome = (typeof OUTCOMES)[number];
export type PartOf = Readonly<z.infer<typeof partOf>>;
