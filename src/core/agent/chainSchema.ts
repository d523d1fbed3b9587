import * as z from "zod/mini";

/** Read-only type of the data that a schema reads. Unknown fields are kept in the data but missing from the type. */
export type Stored<Schema extends z.ZodMiniType> = Plain<z.infer<Schema>>;

type Plain<Value> = Value extends readonly (infer Item)[]
	? readonly Plain<Item>[]
	: Value extends object
		? { readonly [Name in keyof Value as string extends Name ? never : Name]: Plain<Value[Name]> }
		: Value;

const text = z.string();
const number = z.number();
const texts = z.array(text);

const condition = z.union([
	z.looseObject({ step: text, is: z.enum(["succeeded", "failed", "skipped"]) }),
	/** Words that the output of the step must contain or lack, ignoring case. */
	z.looseObject({ step: text, contains: text }),
	z.looseObject({ step: text, lacks: text }),
]);

const chainStep = z.looseObject({
	/** Unique within the chain. */
	id: text,
	agent: text,
	/** Defaults to the chain's prompt. */
	prompt: z.exactOptional(text),
	/** Restricts the tools that the agent's file allows; never adds tools. */
	tools: z.exactOptional(texts),
	when: z.exactOptional(condition),
	/** Milliseconds. */
	timeout: z.exactOptional(number),
});

/** Repeats from an earlier stage until the condition holds, at most `max` times. */
const until = z.looseObject({
	condition,
	max: number,
	/** Index of the stage to repeat from; defaults to the stage with this condition. */
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
/** Totals of all attempts. Tokens are estimated if the engine does not count them. */
export const spentSchema = z.looseObject({ tokens: number, milliseconds: number });
export const outcomeSchema = z.enum(["succeeded", "failed", "timedOut", "skipped", "cancelled"]);
