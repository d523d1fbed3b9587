import * as z from "zod/mini";
import type { AgentEvent, ContextSection } from "../agent/agentEvent.ts";
import { storedChain, storedTask } from "./storedChain.ts";

const text = z.string();
const number = z.number();
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
const hit = z.looseObject({
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
/** What other versions know of is shown under no heading. */
const section = z.custom<ContextSection>((value) => typeof value === "string");
const part = z.looseObject({ section, title: text, tokens: number, given: number, why: text });
const step = z.looseObject({ title: text, status: z.enum(["pending", "running", "done", "blocked"]) });

/** What else an event carries is kept. */
function event<Kind extends string, Shape extends Record<string, z.ZodMiniType>>(kind: Kind, shape: Shape) {
	return z.looseObject({
		kind: z.literal(kind),
		step: z.exactOptional(text),
		within: z.exactOptional(text),
		...shape,
	});
}

const { progress, ...others } = {
	progress: event("progress", { text }),
	notice: event("notice", { text }),
	retrieved: event("retrieved", { hits: z.array(hit), isAll: z.exactOptional(z.boolean()) }),
	text: event("text", { text }),
	citation: event("citation", { citation: z.looseObject({ path: text, lines }) }),
	toolStarted: event("toolStarted", { call, title: z.exactOptional(anyText) }),
	toolUpdated: event("toolUpdated", { call, text: anyText }),
	toolFinished: event("toolFinished", {
		call,
		ok: z.catch(z.boolean(), false),
		text: anyText,
		exitCode: z.exactOptional(number),
	}),
	diff: event("diff", { callId: anyText, path: anyText, oldText: anyText, newText: anyText }),
	plan: event("plan", { steps: z.array(step), text }),
	thought: event("thought", { text }),
	permission: event("permission", {
		tool: text,
		title: text,
		effect: z.enum(["allow", "deny"]),
		by: z.enum(["rule", "person", "host", "default"]),
	}),
	context: event("context", {
		report: z.looseObject({ budget: number, used: number, parts: z.array(part) }),
	}),
	usage: event("usage", { inputTokens: number, outputTokens: number }),
	window: event("window", { usedTokens: number, maxTokens: number }),
	chain: event("chain", { chain: storedChain, task: z.exactOptional(storedTask) }),
	stepStarted: event("stepStarted", {
		agent: text,
		session: z.exactOptional(text),
		attempt: z.catch(number, 1),
	}),
	stepFinished: event("stepFinished", {
		agent: text,
		outcome: z.enum(["succeeded", "failed", "timedOut", "skipped", "cancelled"]),
		text: anyText,
		citations: z.exactOptional(z.array(z.looseObject({ path: text, lines }))),
		focusAreas: z.exactOptional(z.array(text)),
		hasChanged: z.exactOptional(z.boolean()),
		isCached: z.exactOptional(z.boolean()),
	}),
	ended: event("ended", {
		reason: z.enum(["done", "roundLimit"]),
		isQuoted: z.exactOptional(z.boolean()),
		quoted: z.exactOptional(
			z.object({
				kind: z.enum(["answer", "list", "count", "overview", "nothing"]),
				items: z.array(anyText),
				isComplete: z.boolean(),
			}),
		),
		model: z.exactOptional(text),
	}),
} satisfies { [Kind in AgentEvent["kind"]]: z.ZodMiniType<Extract<AgentEvent, { readonly kind: Kind }>> };

export const storedEvent: z.ZodMiniType<AgentEvent> = z.discriminatedUnion("kind", [
	progress,
	...Object.values(others),
]);
