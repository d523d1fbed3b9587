import * as z from "zod/mini";

/** The read-only type of the data that a schema reads. Unknown fields are kept but not typed. */
export type Stored<Schema extends z.ZodMiniType> = Plain<z.infer<Schema>>;

type Plain<Value> = Value extends readonly (infer Item)[]
	? readonly Plain<Item>[]
	: Value extends object
		? { readonly [Name in keyof Value as string extends Name ? never : Name]: Plain<Value[Name]> }
		: Value;

const text = z.string();
const number = z.number();
const texts = z.array(text);

/** A condition on the result of an earlier step. */
const condition = z.union([
	z.looseObject({ step: text, is: z.enum(["succeeded", "failed", "skipped"]) }),
	/** Whether the output contains these words, ignoring case. */
	z.looseObject({ step: text, contains: text }),
	z.looseObject({ step: text, lacks: text }),
]);

const chainStep = z.looseObject({
	/** Unique within the chain. */
	id: text,
	agent: text,
	/** The step's prompt; defaults to the chain's prompt. */
	prompt: z.exactOptional(text),
	/** Restricts the tools that the agent's file allows; never adds any. */
	tools: z.exactOptional(texts),
	when: z.exactOptional(condition),
	/** Milliseconds. */
	timeout: z.exactOptional(number),
});

/** Repeats from an earlier stage until the condition holds, at most `max` times. */
const until = z.looseObject({
	condition,
	max: number,
	/** Index of the stage to go back to; defaults to this stage. */
	from: z.exactOptional(number),
});

export const chainSchema = z.looseObject({
	/** Set only for saved chains. */
	name: z.exactOptional(text),
	stages: z.array(z.looseObject({ steps: z.array(chainStep), until: z.exactOptional(until) })),
	onFailure: z.enum(["continue", "stop"]),
});

export const taskSchema = z.looseObject({
	prompt: text,
	refined: text,
	isClear: z.boolean(),
	changes: texts,
});
/** Totals of all attempts; tokens are estimated if the engine does not count them. */
export const spentSchema = z.looseObject({ tokens: number, milliseconds: number });
export const outcomeSchema = z.enum(["succeeded", "failed", "timedOut", "skipped", "cancelled"]);
