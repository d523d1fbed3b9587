import * as z from "zod";
import type { SourcedPolicy } from "../core/knowledge/catalog.ts";
import { CHANNELS, type Decision, type RuleUse } from "../core/permission/permission.ts";
import type { Fact } from "../core/session/memory.ts";
import type { SessionHit, SessionPage, Transcript } from "../core/session/session.ts";

export type ViewPart = "sessions" | "memory" | "permissions";

const id = z.string().min(1).max(200);
const words = z.string().max(10_000);
const lines = z.object({
	start: z.int().min(1),
	end: z.int().min(1),
	part: z.exactOptional(z.string().max(300)),
	columns: z.exactOptional(z.string().max(20)),
});

const sessionFilters = z.object({
	engine: z.optional(z.enum(["model", "cli", "mcp"])),
	thisWorkspace: z.boolean(),
	/** Only sessions used within this many days. */
	days: z.optional(z.int().min(1)),
	archived: z.boolean(),
});

const newRule = z.object({
	effect: z.enum(["allow", "ask", "deny"]),
	scope: z.enum(["session", "workspace", "always"]),
	owner: z.exactOptional(z.string()),
	channel: z.exactOptional(z.enum(CHANNELS)),
	tool: z.exactOptional(id),
	argument: z.exactOptional(
		z.object({ kind: z.enum(["command", "path", "host"]), value: z.string().min(1).max(2000) }),
	),
});

const newFact = z.object({
	text: words,
	scope: z.enum(["session", "workspace", "user"]),
	owner: z.exactOptional(z.string()),
	source: z.object({ by: z.enum(["person", "model"]), session: z.exactOptional(id) }),
});

/** Requests of the view. The host validates them with this schema, because they come from a page. */
export const viewRequest = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("ready") }),
	z.object({
		kind: z.literal("listSessions"),
		filters: sessionFilters,
		offset: z.int().min(0),
		limit: z.int().min(1).max(500),
	}),
	z.object({ kind: z.literal("searchSessions"), filters: sessionFilters, text: words }),
	z.object({ kind: z.literal("readSession"), session: id }),
	/** Asks the user for a new title; `title` is the current one. */
	z.object({ kind: z.literal("renameSession"), session: id, title: words }),
	z.object({ kind: z.literal("archiveSession"), session: id, archived: z.boolean() }),
	z.object({ kind: z.literal("deleteSession"), session: id }),
	z.object({ kind: z.literal("restoreSession"), session: id }),
	/** Copies the first `turns` turns of a session to a new session. */
	z.object({ kind: z.literal("forkSession"), session: id, turns: z.int().min(1) }),
	z.object({ kind: z.literal("exportSession"), session: id, format: z.enum(["markdown", "json"]) }),
	z.object({ kind: z.literal("resumeSession"), session: id }),
	z.object({ kind: z.literal("stopStep"), session: id }),
	/** Resumes the last chain of a session in the chat. With a step, runs it and all later steps again. */
	z.object({ kind: z.literal("resumeChain"), session: id, step: z.exactOptional(id) }),
	z.object({ kind: z.literal("openCitation"), citation: z.object({ path: words, lines }) }),
	z.object({ kind: z.literal("openLink"), href: words }),
	/** With a session, includes facts whose scope is that session. */
	z.object({ kind: z.literal("listFacts"), session: z.exactOptional(id) }),
	/** Asks the user for a new text; `text` is the current one. */
	z.object({ kind: z.literal("editFact"), fact: id, text: words }),
	z.object({ kind: z.literal("forgetFact"), fact: id }),
	z.object({ kind: z.literal("rememberFact"), fact: newFact }),
	z.object({ kind: z.literal("listRules") }),
	z.object({ kind: z.literal("addRule"), rule: newRule }),
	z.object({ kind: z.literal("makeRule") }),
	z.object({ kind: z.literal("revokeRule"), rule: id }),
	z.object({ kind: z.literal("listDecisions"), text: words, limit: z.int().min(1).max(5000) }),
	z.object({ kind: z.literal("exportPermissions") }),
	z.object({ kind: z.literal("openSettings") }),
]);

export type ViewRequest = z.infer<typeof viewRequest>;
export type SessionFilters = z.infer<typeof sessionFilters>;
export type RuleDraft = z.infer<typeof newRule>;

export interface ViewEnvironment {
	/** URI of the window's first folder; empty if no folder is open. */
	readonly workspace: string;
	readonly policies: readonly SourcedPolicy[];
}

type Update<Kind extends string, Content> = { readonly kind: Kind } & Readonly<Content>;

/** Updates from the host. Each answer repeats its request, so the view can drop late answers. */
export type ViewUpdate =
	| Update<"environment", { environment: ViewEnvironment }>
	| Update<"show", { part: ViewPart }>
	| Update<"changed", { part: ViewPart }>
	| Update<"sessions", { filters: SessionFilters; offset: number } & SessionPage>
	| Update<"hits", { filters: SessionFilters; text: string; hits: readonly SessionHit[] }>
	| Update<"transcript", { transcript: Transcript }>
	| Update<"forked", { session: string }>
	| Update<"facts", { facts: readonly Fact[] }>
	| Update<"rules", { rules: readonly RuleUse[] }>
	| Update<"decisions", { text: string; limit: number; decisions: readonly Decision[] }>
	/** Confirms a request that returns no data. */
	| Update<"did", { request: ViewRequest }>
	| Update<"failed", { request: ViewRequest; message: string }>;
