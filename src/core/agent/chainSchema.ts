import * as z from "zod/mini";

/** What a schema reads, as data that nobody changes. Fields that only other versions know are kept, and have no type. */
export type Stored<Schema extends z.ZodMiniType> = Plain<z.infer<Schema>>;

type Plain<Value> = Value extends readonly (infer Item)[]
	? readonly Plain<Item>[]
	: Value extends object
		? { readonly [Name in keyof Value as string extends Name ? never : Name]: Plain<Value[Name]> }
		: Value;

const text = z.string();
const number = z.number();
const texts = z.array(text);

/** Speaks of the result of a step that came before. */
const condition = z.union([
	z.looseObject({ step: text, is: z.enum(["succeeded", "failed", "skipped"]) }),
	/** Whether the output has these words, in any case. */
	z.looseObject({ step: text, contains: text }),
	z.looseObject({ step: text, lacks: text }),
]);

const chainStep = z.looseObject({
	/** Unique within the chain. */
	id: text,
	agent: text,
	/** The prompt for the step; the prompt of the chain if omitted. */
	prompt: z.exactOptional(text),
	/** Narrows what the agent's file allows; never widens it. */
	tools: z.exactOptional(texts),
	when: z.exactOptional(condition),
	/** Milliseconds. */
	timeout: z.exactOptional(number),
});

/** After the stage, unless the condition holds, the chain goes back; at most `max` times. */
const until = z.looseObject({
	condition,
	max: number,
	/** Index of the stage that it goes back to; this one if omitted. */
	from: z.exactOptional(number),
});

export const chainSchema = z.looseObject({
	/** Set if the chain is saved. */
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
/** Over all tries; tokens are estimated if the engine counts none. */
export const spentSchema = z.looseObject({ tokens: number, milliseconds: number });
export const outcomeSchema = z.enum(["succeeded", "failed", "timedOut", "skipped", "cancelled"]);
