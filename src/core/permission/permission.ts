export type Effect = "allow" | "ask" | "deny";

export type RuleScope = "once" | "session" | "workspace" | "always";

/** What of a call's arguments a rule can speak of. */
export type ArgumentKind = "command" | "path" | "host";

export interface CallArgument {
	readonly kind: ArgumentKind;
	/** A command line, an absolute path with forward slashes, or a host name, with its port if that is not the default. */
	readonly value: string;
}

export interface RequestArgument {
	/** A `text` may mean anything: rules speak of what it may mention. */
	readonly kind: ArgumentKind | "text";
	/** As in a rule's argument; a path is the real path on the disk. */
	readonly value: string;
	/** The path as the call has it, if links lead elsewhere. */
	readonly alias?: string;
}

/** Meets requests with all that it names. The narrower rule wins; if neither is narrower, the stricter one. */
export interface PermissionRule extends NewRule {
	readonly id: string;
	/** Rules of the settings are managed: no decision of the user elsewhere overrides them. */
	readonly origin: "settings" | "person";
	/** Milliseconds since 1970. */
	readonly createdAt: number;
}

export interface NewRule {
	readonly effect: Effect;
	readonly scope: RuleScope;
	/** Session id of a `session` rule; folder URI of a `workspace` rule. */
	readonly owner?: string;
	readonly door?: Door;
	/** A tool's name; `*` matches any run of characters. */
	readonly tool?: string;
	/** Whole words of a command (last `*`: names in the folder, last `$`: nothing more), a path glob, or a host (`*.`: all below). */
	readonly argument?: CallArgument;
}

export interface CallSource {
	readonly door: Door;
	readonly session?: string | undefined;
	/** Name of the agent that calls, in a chain. The name comes from the agent's own file, so rules do not use it. */
	readonly agent?: string;
	/** URI of the window's first folder; empty if no folder is open. */
	readonly workspace: string;
}

export interface PermissionRequest extends CallSource {
	/** The tool's name, without our prefix. */
	readonly tool: string;
	/** Our tools that do its work: a rule that denies or asks for one of them applies to it, too. */
	readonly uses?: readonly string[];
	/** What the call does, for the user, who sees every character of it. */
	readonly title: string;
	readonly arguments: readonly RequestArgument[];
	/** Whether it may change something. A call that only reads our knowledge is allowed unless a rule says otherwise. */
	readonly mutates: boolean;
}

export interface Verdict {
	readonly effect: Effect;
	/** The rule that decided; absent if the default did. */
	readonly rule?: PermissionRule;
	/** The request with its paths as they are on the disk; absent if they are as given. */
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
	/** The rule that decided, the user whom we asked, VS Code, which asks or knows the user's answer, or the default. */
	readonly by: "rule" | "person" | "host" | "default";
	readonly rule?: string;
}

export interface RuleUse {
	readonly rule: PermissionRule;
	/** When it decided last; absent if it never did. */
	readonly lastUsedAt?: number;
}

/** The only place that decides whether a call may happen. */
export interface Permissions {
	/** What the rules say. Does not ask the user and writes nothing. */
	verdictFor(request: PermissionRequest): Promise<Verdict>;
	/** Resolves when the decision is on the disk. */
	record(decision: Decided): Promise<void>;
	/** Rejects with a `Failure` for scope `once`, and for a pattern that says nothing. */
	add(rule: NewRule): Promise<PermissionRule>;
	/** Rejects with a `Failure` for rules of the settings. */
	revoke(id: string): Promise<void>;
	/** All rules, those of the settings first. */
	rules(): Promise<readonly RuleUse[]>;
	/** Newest first. */
	decisions(query: {
		readonly since?: number;
		readonly limit: number;
		readonly text?: string;
	}): Promise<readonly Decision[]>;
	/** The decisions since a time that would have come out otherwise with this rule, or without a question; newest first. */
	preview(rule: NewRule, since: number): Promise<readonly Decision[]>;
}

export const DOORS = ["chat", "tools", "cli", "mcp"] as const;

export type Door = (typeof DOORS)[number];

/** What policies hid from each door at some time: rules as texts, the same for the same rule. */
export type RulesByDoor = Readonly<Record<Door, readonly string[]>>;

export function rulesByDoor(rulesOf: (door: Door) => readonly string[]): RulesByDoor {
	return Object.fromEntries(DOORS.map((door) => [door, rulesOf(door)])) as Record<Door, readonly string[]>;
}

export type AtDoor<Query> = Query & { readonly door: Door };
