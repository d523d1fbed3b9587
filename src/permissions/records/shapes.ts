import * as z from "zod";
import { isRecord } from "../../base/values.ts";
import { decisionSchema, requestSchema, ruleSchema } from "../../core/permission/permission.ts";

/** Reads the field `channel` also by its old name, `door`. A rule with both names stays unreadable. */
function withChannel<Stored extends z.core.$ZodType>(stored: Stored) {
	return z.preprocess((value) => {
		if (!isRecord(value) || !("door" in value) || "channel" in value) return value;
		const { door, ...others } = value;
		return { channel: door, ...others };
	}, stored);
}

/** A stored rule. Unknown fields make the whole rule unreadable, because they may change its meaning. */
const rule = withChannel(ruleSchema);

export const ruleLine = z.discriminatedUnion("kind", [
	z.strictObject({ kind: z.literal("added"), rule }),
	z.strictObject({ kind: z.literal("kept"), rule }),
	z.strictObject({ kind: z.literal("revoked"), id: z.string(), at: z.number() }),
]);

export type RuleLine = z.infer<typeof ruleLine>;

export const decision = z.object({ ...decisionSchema.shape, request: withChannel(requestSchema) });
