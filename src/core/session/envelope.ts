import * as z from "zod/mini";
import type { ToolCall } from "../agent/agentEvent.ts";
import { commandOf } from "../plugin/plugin.ts";

const ROLES = ["user", "cerebrum", "plugin", "system"] as const;
const word = z.string().check(z.minLength(1), z.maxLength(300));

/** A sender or a recipient. A `cerebrum` thinks: a model, the Copilot CLI, a step; it calls a `plugin`. */
const party = z.object({ role: z.enum(ROLES), id: word, name: z.string() });

/** Sender and recipient of a journal line; its content and time are separate fields. */
export const envelope = z.object({
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

/** Whether it fits what is in it: a call names what is called, and goes from who calls to who is called, a reply back. */
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
