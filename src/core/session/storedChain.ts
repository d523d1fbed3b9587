import * as z from "zod/mini";
import type { Chain, Task } from "../agent/chain.ts";

const text = z.string();
const number = z.number();

const condition = z.union([
	z.looseObject({ step: text, is: z.enum(["succeeded", "failed", "skipped"]) }),
	z.looseObject({ step: text, contains: text }),
	z.looseObject({ step: text, lacks: text }),
]);

const step = z.looseObject({
	id: text,
	agent: text,
	prompt: z.exactOptional(text),
	tools: z.exactOptional(z.array(text)),
	when: z.exactOptional(condition),
	timeout: z.exactOptional(number),
});

export const storedChain: z.ZodMiniType<Chain> = z.looseObject({
	name: z.exactOptional(text),
	stages: z.array(
		z.looseObject({
			steps: z.array(step),
			until: z.exactOptional(z.looseObject({ condition, max: number, from: z.exactOptional(number) })),
		}),
	),
	onFailure: z.enum(["continue", "stop"]),
});

export const storedTask: z.ZodMiniType<Task> = z.looseObject({
	prompt: text,
	refined: text,
	isClear: z.boolean(),
	changes: z.array(text),
});
