import * as z from "zod";
import { type Decision, DOORS, type PermissionRule } from "../../core/permission/permission.ts";

export const EFFECTS = ["allow", "ask", "deny"] as const;
export const ARGUMENT_KINDS = ["command", "path", "host"] as const;

const door = z.enum(DOORS);
const argument = z.strictObject({ kind: z.enum(ARGUMENT_KINDS), value: z.string() });

/** A stored rule. Unknown fields make the whole rule unreadable, because they may change its meaning. */
const rule = z.strictObject({
	id: z.string(),
	effect: z.enum(EFFECTS),
	scope: z.enum(["once", "session", "workspace", "always"]),
	owner: z.exactOptional(z.string()),
	door: z.exactOptional(door),
	tool: z.exactOptional(z.string()),
	argument: z.exactOptional(argument),
	origin: z.enum(["settings", "person"]),
	createdAt: z.number(),
}) satisfies z.ZodType<PermissionRule>;

export const ruleLine = z.discriminatedUnion("kind", [
	z.strictObject({ kind: z.literal("added"), rule }),
	z.strictObject({ kind: z.literal("kept"), rule }),
	z.strictObject({ kind: z.literal("revoked"), id: z.string(), at: z.number() }),
]);

export const decision = z.object({
	at: z.number(),
	request: z.object({
		door,
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
	effect: z.enum(["allow", "deny"]),
	by: z.enum(["rule", "person", "host", "default"]),
	rule: z.exactOptional(z.string()),
}) satisfies z.ZodType<Decision>;

export type RuleLine = z.infer<typeof ruleLine>;
