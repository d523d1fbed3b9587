export type Effect = "allow" | "ask" | "deny";

export type RuleScope = "once" | "session" | "workspace" | "always";

export type ArgumentKind = "command" | "path" | "host";

export interface CallArgument {
	readonly kind: ArgumentKind;
	/** A command line, an absolute path with forward slashes, or a host with any non-default port. */
	readonly value: string;
}

export interface RequestArgument {
	/** A `text` may mean anything: rules apply to everything that the text may mention. */
	readonly kind: ArgumentKind | "text";
	/** A command line, a host, or a path with symbolic links resolved. */
	readonly value: string;
	/** The path as given in the call, if symbolic links lead elsewhere. */
	readonly alias?: string;
}

/** A rule matches requests that fit all its fields. The narrowest rule wins; of equally narrow rules, the strictest. */
export interface PermissionRule extends NewRule {
	readonly id: string;
	/** Rules in the settings are managed: decisions of the user elsewhere do not override these rules. */
	readonly origin: "settings" | "person";
	/** Milliseconds since 1970. */
	readonly createdAt: number;
}

export interface NewRule {
	readonly effect: Effect;
	readonly scope: RuleScope;
	/** Session id of a `session` rule; folder URI of a `workspace` rule. */
	readonly owner?: string;
	readonly channel?: Channel;
	/** A tool's name; `*` matches any run of characters. */
	readonly tool?: string;
	/** Path glob, host, or first words of a command. After the words, `*` allows only names in the folder, `$` nothing. */
	readonly argument?: CallArgument;
}

export interface CallSource {
	readonly channel: Channel;
	readonly session?: string | undefined;
	/** Name of the calling agent in a chain. Rules ignore this name, because the agent's own file defines it. */
	readonly agent?: string;
	/** URI of the window's first folder; empty if no folder is open. */
	readonly workspace: string;
}

export interface PermissionRequest extends CallSource {
	/** The tool's name, without our prefix. */
	readonly tool: string;
	/** Names of our tools that do the work. Rules that deny or ask for one of these tools also apply to this request. */
	readonly uses?: readonly string[];
	/** Description of the call for the user, with every character visible. */
	readonly title: string;
	readonly arguments: readonly RequestArgument[];
	/** Whether the call may change something. By default, calls that only read our knowledge are allowed. */
	readonly mutates: boolean;
}

export interface Verdict {
	readonly effect: Effect;
	/** The deciding rule; absent if the default applied. */
	readonly rule?: PermissionRule;
	/** The request with symbolic links resolved; absent if no path changes. */
	readonly judged?: PermissionRequest;
}

/** One line of the audit log. */
export interface Decision extends Decided {
	/** Milliseconds since 1970. */
	readonly at: number;
}

export interface Decided {
	readonly request: PermissionRequest;
	readonly effect: "allow" | "deny";
	/** Who decided: a rule, the user (`person`), VS Code (`host`), or the default. */
	readonly by: "rule" | "person" | "host" | "default";
	readonly rule?: string;
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

export const CHANNELS = ["chat", "tools", "cli", "mcp"] as const;

export type Channel = (typeof CHANNELS)[number];

/** Policies per channel at one time, as text. Equal rules have equal text. */
export type RulesByChannel = Readonly<Record<Channel, readonly string[]>>;

export function rulesByChannel(rulesOf: (channel: Channel) => readonly string[]): RulesByChannel {
	return Object.fromEntries(CHANNELS.map((channel) => [channel, rulesOf(channel)])) as RulesByChannel;
}

export type FromChannel<Query> = Query & { readonly channel: Channel };
