import * as z from "zod/mini";
import type { Hit } from "../knowledge/knowledge.ts";
import { chainSchema, outcomeSchema, spentSchema, taskSchema } from "./chainSchema.ts";

const text = z.string();
const number = z.number();
const texts = z.array(text);
const flag = z.exactOptional(z.boolean());
/** An unreadable call or change still counts as one: the model may have learned anything from it. */
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
	/** What other versions know of is shown under no heading. */
	section: z.custom<ContextSection>((value) => typeof value === "string"),
	title: text,
	/** Tokens of the whole of it. */
	tokens: number,
	/** Tokens of this part in the request; 0 if it was omitted. */
	given: number,
	why: text,
});

/** What a model was given in one request, and what was omitted. */
const report = z.looseObject({
	/** Tokens that there were for the prompt. */
	budget: number,
	/** Tokens of the prompt, by the model's own count. */
	used: number,
	/** In the order of the prompt. */
	parts: z.array(part),
});

/** Facts for programs about an answer that no model wrote. */
const quoted = z.object({
	kind: z.enum(["answer", "list", "count", "overview", "nothing"]),
	/** Labels of a list or a count. */
	items: z.array(anyText),
	/** Whether nothing is missing: all files were read, no policy applies, and the list has all its items. */
	isComplete: z.boolean(),
});

const planStep = z.looseObject({ title: text, status: z.enum(["pending", "running", "done", "blocked"]) });

function event<Kind extends string, Shape extends Record<string, z.ZodMiniType>>(kind: Kind, shape: Shape) {
	return z.looseObject({
		kind: z.literal(kind),
		/** The step of a chain that it happened in; absent outside of one. */
		step: z.exactOptional(text),
		/** The plugin call that the event belongs to; absent for the turn's own events. */
		within: z.exactOptional(text),
		...shape,
	});
}

/** What else an event carries is kept. */
export const eventSchema = z.discriminatedUnion("kind", [
	event("progress", { text }),
	event("notice", { text }),
	/** What the first search gave, best first. `isAll`: nothing else was given at first, no listing, path or memory. */
	event("retrieved", { hits: z.array(hit), isAll: flag }),
	event("text", { text }),
	/** At the position in the text of a citation by the model; the cited lines were shown to the model. */
	event("citation", { citation }),
	event("toolStarted", { call, title: z.exactOptional(anyText) }),
	/** The whole output of a call so far; replaces the output shown before. */
	event("toolUpdated", { call, text: anyText }),
	/** `exitCode` is set if a command ran to its end. */
	event("toolFinished", {
		call,
		ok: z.catch(z.boolean(), false),
		text: anyText,
		exitCode: z.exactOptional(number),
	}),
	/** What a call changes in a file with an absolute path; the texts are the lines around the change, `oldText` empty for a new file. */
	event("diff", { callId: anyText, path: anyText, oldText: anyText, newText: anyText }),
	/** The current plan; replaces the one before. */
	event("plan", { steps: z.array(planStep), text }),
	event("thought", { text }),
	event("permission", {
		tool: text,
		title: text,
		effect: z.enum(["allow", "deny"]),
		by: z.enum(["rule", "person", "host", "default"]),
	}),
	event("context", { report }),
	/** Tokens of one request; estimated by us if its server did not count. */
	event("usage", { inputTokens: number, outputTokens: number, isEstimate: flag }),
	event("window", { usedTokens: number, maxTokens: number }),
	/** A chain is about to run. If the user or a condition changed it, the event replaces the one before. */
	event("chain", { chain: chainSchema, task: z.exactOptional(taskSchema) }),
	/** A step of a chain begins; its own events carry its id. Told again, with the same `attempt`, once its session is known. */
	event("stepStarted", {
		agent: text,
		session: z.exactOptional(text),
		/** From 1; 2 for a retry. */
		attempt: z.catch(number, 1),
		prompt: z.exactOptional(anyText),
	}),
	event("stepFinished", {
		agent: text,
		outcome: outcomeSchema,
		text: anyText,
		citations: z.exactOptional(z.array(citation)),
		/** Paths that it looked at. */
		focusAreas: z.exactOptional(texts),
		hasChanged: flag,
		/** Whether an earlier run gave the result. */
		isCached: flag,
		spent: z.exactOptional(spentSchema),
		/** Milliseconds since 1970. */
		executedAt: z.exactOptional(number),
		/** Titles of the calls that were refused. */
		refused: z.exactOptional(texts),
	}),
	event("ended", {
		reason: z.enum(["done", "roundLimit"]),
		/** Whether no model wrote the answer: it has only what its sources say. */
		isQuoted: flag,
		quoted: z.exactOptional(quoted),
		/** Whether the model's answer ends before its end. */
		isCut: flag,
		model: z.exactOptional(text),
	}),
]);
