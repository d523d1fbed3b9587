import * as z from "zod/mini";

export const EFFECTS = ["allow", "ask", "deny"] as const;
export const ARGUMENT_KINDS = ["command", "path", "host"] as const;
export const CHANNELS = ["chat", "tools", "cli", "mcp"] as const;

const text = z.string();
const optionalText = z.exactOptional(text);
const channel = z.enum(CHANNELS);

/** A command line, an absolute path with forward slashes, or a host with any non-default port. */
const callArgument = z.strictObject({ kind: z.enum(ARGUMENT_KINDS), value: text });

const newRule = z.strictObject({
	effect: z.enum(EFFECTS),
	scope: z.enum(["once", "session", "workspace", "always"]),
	/** Session id of a `session` rule; folder URI of a `workspace` rule. */
	owner: optionalText,
	channel: z.exactOptional(channel),
	/** A tool's name; `*` matches any run of characters. */
	tool: optionalText,
	/** Path glob, host, or first words of a command. After the words, `*` allows only names in the folder, `$` nothing. */
	argument: z.exactOptional(callArgument),
});

/** A rule matches requests that fit all its fields. The narrowest rule wins; of equally narrow rules, the strictest. */
export const ruleSchema = z.strictObject({
	...newRule.shape,
	id: text,
	/** Rules in the settings are managed: decisions of the user elsewhere do not override these rules. */
	origin: z.enum(["settings", "person"]),
	/** Milliseconds since 1970. */
	createdAt: z.number(),
});

const requestArgument = z.object({
	/** A `text` may mean anything: rules apply to everything that the text may mention. */
	kind: z.enum([...ARGUMENT_KINDS, "text"]),
	/** A command line, a host, or a path with symbolic links resolved. */
	value: text,
	/** The path as given in the call, if symbolic links lead elsewhere. */
	alias: optionalText,
});

const callSource = z.object({
	channel,
	session: z.optional(text),
	/** Name of the calling agent in a chain. Rules ignore this name, because the agent's own file defines it. */
	agent: optionalText,
	/** URI of the window's first folder; empty if no folder is open. */
	workspace: text,
});

export const requestSchema = z.object({
	...callSource.shape,
	/** The tool's name, without our prefix. */
	tool: text,
	/** Names of our tools that do the work. Rules that deny or ask for one of these tools also apply to this request. */
	uses: z.exactOptional(z.readonly(z.array(text))),
	/** Description of the call for the user, with every character visible. */
	title: text,
	arguments: z.readonly(z.array(requestArgument)),
	/** Whether the call may change something. By default, calls that only read our knowledge are allowed. */
	mutates: z.boolean(),
});

const decided = z.object({
	request: requestSchema,
	effect: z.enum(["allow", "deny"]),
	/** Who decided: a rule, the user (`person`), VS Code (`host`), or the default. */
	by: z.enum(["rule", "person", "host", "default"]),
	rule: optionalText,
});

/** One line of the audit log. */
export const decisionSchema = z.object({
	...decided.shape,
	/** Milliseconds since 1970. */
	at: z.number(),
});

export type CallArgument = Readonly<z.infer<typeof callArgument>>;
export type ArgumentKind = CallArgument["kind"];
export type RequestArgument = Readonly<z.infer<typeof requestArgument>>;
export type NewRule = Readonly<z.infer<typeof newRule>>;
export type Effect = NewRule["effect"];
export type RuleScope = NewRule["scope"];
export type PermissionRule = Readonly<z.infer<typeof ruleSchema>>;
export type CallSource = Readonly<z.infer<typeof callSource>>;
export type PermissionRequest = Readonly<z.infer<typeof requestSchema>>;
export type Decided = Readonly<z.infer<typeof decided>>;
export type Decision = Readonly<z.infer<typeof decisionSchema>>;

export interface Verdict {
	readonly effect: Effect;
	/** The deciding rule; absent if the default applied. */
	readonly rule?: PermissionRule;
	/** The request with symbolic links resolved; absent if no path changes. */
	readonly judged?: PermissionRequest;
}

export interface RuleUse {
	readonly rule: PermissionRule;
	/** Time of the rule's last decision; absent if the rule was never used. */
	readonly lastUsedAt?: number;
}

/** Decides whether a call may run. No other code makes this decision. */
export interface Permissions {
	/** Evaluates the rules without asking the user or writing anything. */
	verdictFor(request: PermissionRequest): Promise<Verdict>;
	/** Resolves when the decision is on disk. */
	record(decision: Decided): Promise<void>;
	/** Rejects with a `Failure` for scope `once` and for an invalid pattern. */
	add(rule: NewRule): Promise<PermissionRule>;
	/** Rejects with a `Failure` if the rule is in the settings. */
	revoke(id: string): Promise<void>;
	/** All rules, beginning with the rules in the settings. */
	rules(): Promise<readonly RuleUse[]>;
	/** Decisions, newest first. */
	decisions(query: {
		readonly since?: number;
		readonly limit: number;
		readonly text?: string;
	}): Promise<readonly Decision[]>;
	/** Decisions since a time that this rule would have changed or made without asking, newest first. */
	preview(rule: NewRule, since: number): Promise<readonly Decision[]>;
}

export type Channel = (typeof CHANNELS)[number];

/** Policies per channel at one time, as text. Equal rules have equal text. */
export type RulesByChannel = Readonly<Record<Channel, readonly string[]>>;

export function rulesByChannel(rulesOf: (channel: Channel) => readonly string[]): RulesByChannel {
	return Object.fromEntries(CHANNELS.map((channel) => [channel, rulesOf(channel)])) as RulesByChannel;
}

export type FromChannel<Query> = Query & { readonly channel: Channel };
