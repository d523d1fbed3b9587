import * as z from "zod/mini";
import type { Hit } from "../knowledge/knowledge.ts";
import { chainSchema, outcomeSchema, spentSchema, taskSchema } from "./chainSchema.ts";

const text = z.string();
const number = z.number();
const texts = z.array(text);
const flag = z.exactOptional(z.boolean());
/** Unreadable calls and changes are kept with empty fields, because the model may have learned anything from them. */
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
	/** Accepts any text: sections known only to other versions are shown without a heading. */
	section: z.custom<ContextSection>((value) => typeof value === "string"),
	title: text,
	/** Tokens of the complete part. */
	tokens: number,
	/** Tokens of this part in the request; 0 if the part was omitted. */
	given: number,
	why: text,
});

/** A report on one request: the parts of the prompt that the model received, and the omitted parts. */
const report = z.looseObject({
	budget: number,
	/** Tokens of the prompt, as counted by the model. */
	used: number,
	parts: z.array(part),
});

/** Machine-readable facts about an answer that no model wrote. */
const quoted = z.object({
	kind: z.enum(["answer", "list", "count", "overview", "nothing"]),
	items: z.array(anyText),
	/** Whether all files were read, no policy applies and no list is truncated. */
	isComplete: z.boolean(),
});

const planStep = z.looseObject({ title: text, status: z.enum(["pending", "running", "done", "blocked"]) });

function event<Kind extends string, Shape extends Record<string, z.ZodMiniType>>(kind: Kind, shape: Shape) {
	return z.looseObject({
		kind: z.literal(kind),
		/** Id of the event's chain step; absent outside of chains. */
		step: z.exactOptional(text),
		/** Id of the plugin call that caused the event; absent for the turn's own events. */
		within: z.exactOptional(text),
		...shape,
	});
}

export const eventSchema = z.discriminatedUnion("kind", [
	event("progress", { text }),
	event("notice", { text }),
	/** Hits of the first search, best first. With `isAll`, no listing, path or memory was added to the prompt. */
	event("retrieved", { hits: z.array(hit), isAll: flag }),
	event("text", { text }),
	/** A citation at its position in the answer. The cited lines were shown to the model. */
	event("citation", { citation }),
	event("toolStarted", { call, title: z.exactOptional(anyText) }),
	/** `text` is the complete output so far and replaces the previous output. */
	event("toolUpdated", { call, text: anyText }),
	/** `exitCode` is set if a command exited. */
	event("toolFinished", {
		call,
		ok: z.catch(z.boolean(), false),
		text: anyText,
		exitCode: z.exactOptional(number),
	}),
	/** A change to a file. The texts are the lines around the change; `oldText` is empty for a new file. */
	event("diff", { callId: anyText, path: anyText, oldText: anyText, newText: anyText }),
	/** The current plan, which replaces the previous plan. */
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
	/** Announces a chain. A later `chain` event replaces the chain after a change by the user or by a condition. */
	event("chain", { chain: chainSchema, task: z.exactOptional(taskSchema) }),
	/** Announces a step. A second event with the same `attempt` adds the session as soon as the session is known. */
	event("stepStarted", {
		agent: text,
		session: z.exactOptional(text),
		/** Counted from 1; higher numbers are retries. */
		attempt: z.catch(number, 1),
		prompt: z.exactOptional(anyText),
	}),
	event("stepFinished", {
		agent: text,
		outcome: outcomeSchema,
		text: anyText,
		citations: z.exactOptional(z.array(citation)),
		focusAreas: z.exactOptional(texts),
		hasChanged: flag,
		isCached: flag,
		spent: z.exactOptional(spentSchema),
		/** Milliseconds since 1970. */
		executedAt: z.exactOptional(number),
		refused: z.exactOptional(texts),
	}),
	event("ended", {
		reason: z.enum(["done", "roundLimit"]),
		/** Whether the answer consists of quotations and no model wrote the answer. */
		isQuoted: flag,
		quoted: z.exactOptional(quoted),
		/** Whether the model's answer is incomplete. */
		isCut: flag,
		model: z.exactOptional(text),
	}),
]);
