import * as z from "zod/mini";
import { described, text, texts } from "./executorSchema.ts";

const named = {
	id: z.optional(text).check(described("A name that no other has.")),
	name: z.optional(text).check(described("A name for people.")),
};
const address = {
	url: text.check(described("The address; of http the one that paths are below.")),
	headers: z.optional(z.record(z.string(), text)).check(described("Sent with each request.")),
};
const health = z.optional(text).check(described("A path that is asked before the first use."));
const folder = text.check(described("A folder below the one that is worked in."));
const sources = z.optional(texts).check(described("How paths begin in it."));
const types = z.optional(texts).check(described("Classes of the resources in it."));
const model = text.check(described("Its name, its family or its id."));

export const resourceSchema = z.discriminatedUnion("type", [
	z.strictObject({ type: z.literal("http"), ...named, config: z.strictObject({ ...address, health }) }),
	z.strictObject({ type: z.literal("sparql"), ...named, config: z.strictObject(address) }),
	z.strictObject({ type: z.literal("files"), ...named, config: z.strictObject({ folder }) }),
	z.strictObject({
		type: z.literal("index"),
		...named,
		config: z.optional(z.strictObject({ sources, types })),
	}),
	z.strictObject({ type: z.literal("mcp"), ...named, config: z.strictObject(address) }),
	z.strictObject({ type: z.literal("model"), ...named, config: z.strictObject({ name: model }) }),
]);
