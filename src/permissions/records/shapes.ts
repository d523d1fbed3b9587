import * as z from "zod";
import { isRecord } from "../../base/values.ts";
import { CHANNELS, type Decision, type PermissionRule } from "../../core/permission/permission.ts";

export const EFFECTS = ["allow", "ask", "deny"] as const;
export const ARGUMENT_KINDS = ["command", "path", "host"] as const;

const channel = z.enum(CHANNELS);
const argument = z.strictObject({ kind: z.enum(ARGUMENT_KINDS), value: z.string() });

/** Reads the field `channel` also by its old name, `door`. A rule with both names stays unreadable. */
function withChannel<Stored extends z.ZodType>(stored: Stored) {
	return z.preprocess((value) => {
		if (!isRecord(value) || !("door" in value) || "channel" in value) return value;
		const { door, ...others } = value;
		return { channel: door, ...others };
	}, stored);
}

/** A stored rule. Unknown fields make the whole rule unreadable, because they may change its meaning. */
const rule = withChannel(
	z.strictObject({
		id: z.string(),
		effect: z.enum(EFFECTS),
		scope: z.enum(["once", "session", "workspace", "always"]),
		owner: z.exactOptional(z.string()),
		channel: z.exactOptional(channel),
		tool: z.exactOptional(z.string()),
		argument: z.exactOptional(argument),
		origin: z.enum(["settings", "person"]),
		createdAt: z.number(),
	}) satisfies z.ZodType<PermissionRule>,
);

export const ruleLine = z.discriminatedUnion("kind", [
	z.strictObject({ kind: z.literal("added"), rule }),
	z.strictObject({ kind: z.literal("kept"), rule }),
	z.strictObject({ kind: z.literal("revoked"), id: z.string(), at: z.number() }),
]);

export const decision = z.object({
	at: z.number(),
	request: withChannel(
		z.object({
			channel,
			tool: z.string(),
			uses: z.exactOptional(z.array(z.string())),
			title: z.string(),
			arguments: z.array(
				z.object({
					kind: z.enum([...ARGUMENT_KINDS, "text"]),
					value: z.string(),
					alias: z.exactOptional(z.string()),
				}),
			),
			session: z.exactOptional(z.string()),
			agent: z.exactOptional(z.string()),
			workspace: z.string(),
			mutates: z.boolean(),
		}),
	),
	effect: z.enum(["allow", "deny"]),
	by: z.enum(["rule", "person", "host", "default"]),
	rule: z.exactOptional(z.string()),
}) satisfies z.ZodType<Decision>;

export type RuleLine = z.infer<typeof ruleLine>;
