import * as z from "zod/mini";
import type { Hit } from "../knowledge/knowledge.ts";
import { chainSchema, outcomeSchema, spentSchema, taskSchema } from "./chainSchema.ts";

const text = z.string();
const number = z.number();
const texts = z.array(text);
const flag = z.exactOptional(z.boolean());
/** An unreadable call or change still counts: the model may have learned anything from it. */
const anyText = z.catch(text, "");
const input = z.catch(z.unknown(), undefined);
const call = z.catch(z.looseObject({ id: anyText, name: anyText, input }), { id: "", name: "", input: {} });

const lines = z.looseObject({
	start: number,
	end: number,
	part: z.exactOptional(text),
	columns: z.exactOptional(text),
});
const citation = z.looseObject({ path: text, lines });
const hit: z.ZodMiniType<Hit> = z.looseObject({
	id: text,
	uri: text,
	path: text,
	lines,
	title: text,
	text,
	iri: z.exactOptional(text),
	score: number,
	why: z.record(text, number),
	via: z.exactOptional(text),
});

type ContextSection =
	| "instructions"
	| "tools"
	| "attachments"
	| "sources"
	| "memory"
	| "history"
	| "question"
	| "results";

const part = z.looseObject({
	/** Sections known only to other versions are shown without a heading. */
	section: z.custom<ContextSection>((value) => typeof value === "string"),
	title: text,
	/** Tokens of the complete part. */
	tokens: number,
	/** Tokens of this part in the request; 0 if it was omitted. */
	given: number,
	why: text,
});

/** A report on one request: the parts that the model received and the omitted ones. */
const report = z.looseObject({
	/** Tokens available for the prompt. */
	budget: number,
	/** Tokens of the prompt, as counted by the model. */
	used: number,
	/** In prompt order. */
	parts: z.array(part),
});

/** Machine-readable facts about an answer that no model wrote. */
const quoted = z.object({
	kind: z.enum(["answer", "list", "count", "overview", "nothing"]),
	/** Labels of a list or a count. */
	items: z.array(anyText),
	/** Whether nothing is missing: all files were read, no policy applies and no list is truncated. */
	isComplete: z.boolean(),
});

const planStep = z.looseObject({ title: text, status: z.enum(["pending", "running", "done", "blocked"]) });

function event<Kind extends string, Shape extends Record<string, z.ZodMiniType>>(kind: Kind, shape: Shape) {
	return z.looseObject({
		kind: z.literal(kind),
		/** The chain step that the event belongs to; absent outside of chains. */
		step: z.exactOptional(text),
		/** The plugin call that the event belongs to; absent for the turn's own events. */
		within: z.exactOptional(text),
		...shape,
	});
}

/** Unknown fields of events are kept. */
export const eventSchema = z.discriminatedUnion("kind", [
	event("progress", { text }),
	event("notice", { text }),
	/** Results of the first search, best first. `isAll`: no listing, path or memory was added to the prompt. */
	event("retrieved", { hits: z.array(hit), isAll: flag }),
	event("text", { text }),
	/** A citation by the model, at its position in the text. The cited lines were shown to the model. */
	event("citation", { citation }),
	event("toolStarted", { call, title: z.exactOptional(anyText) }),
	/** The complete output of a call so far; replaces the previous output. */
	event("toolUpdated", { call, text: anyText }),
	/** `exitCode` is set if a command exited. */
	event("toolFinished", {
		call,
		ok: z.catch(z.boolean(), false),
		text: anyText,
		exitCode: z.exactOptional(number),
	}),
	/** A change to a file. The texts are the lines around it; `oldText` is empty for a new file. */
	event("diff", { callId: anyText, path: anyText, oldText: anyText, newText: anyText }),
	/** The current plan; replaces the previous plan. */
	event("plan", { steps: z.array(planStep), text }),
	event("thought", { text }),
	event("permission", {
		tool: text,
		title: text,
		effect: z.enum(["allow", "deny"]),
		by: z.enum(["rule", "person", "host", "default"]),
	}),
	event("context", { report }),
	/** Tokens of one request; estimated if the server did not count them. */
	event("usage", { inputTokens: number, outputTokens: number, isEstimate: flag }),
	event("window", { usedTokens: number, maxTokens: number }),
	/** A chain is about to run. Sent again, as a replacement, if the user or a condition changed the chain. */
	event("chain", { chain: chainSchema, task: z.exactOptional(taskSchema) }),
	/** A step begins; its events carry its id. Sent again with the same `attempt` once the session is known. */
	event("stepStarted", {
		agent: text,
		session: z.exactOptional(text),
		/** From 1; higher numbers are retries. */
		attempt: z.catch(number, 1),
		prompt: z.exactOptional(anyText),
	}),
	event("stepFinished", {
		agent: text,
		outcome: outcomeSchema,
		text: anyText,
		citations: z.exactOptional(z.array(citation)),
		/** Paths that the step looked at. */
		focusAreas: z.exactOptional(texts),
		hasChanged: flag,
		/** Whether the result comes from an earlier run. */
		isCached: flag,
		spent: z.exactOptional(spentSchema),
		/** Milliseconds since 1970. */
		executedAt: z.exactOptional(number),
		/** Titles of refused calls. */
		refused: z.exactOptional(texts),
	}),
	event("ended", {
		reason: z.enum(["done", "roundLimit"]),
		/** Whether the answer consists of quotations and no model wrote it. */
		isQuoted: flag,
		quoted: z.exactOptional(quoted),
		/** Whether the model's answer is incomplete. */
		isCut: flag,
		model: z.exactOptional(text),
	}),
]);
