import type { Stored } from "../agent/chainSchema.ts";
import type * as schema from "./permissionSchema.ts";

export type CallArgument = Stored<typeof schema.callArgument>;
export type ArgumentKind = CallArgument["kind"];
export type RequestArgument = Stored<typeof schema.requestArgument>;
export type NewRule = Stored<typeof schema.newRule>;
export type Effect = NewRule["effect"];
export type RuleScope = NewRule["scope"];
export type PermissionRule = Stored<typeof schema.permissionRule>;
export type CallSource = Stored<typeof schema.callSource>;
export type PermissionRequest = Stored<typeof schema.permissionRequest>;
export type Decided = Stored<typeof schema.decided>;
export type Decision = Stored<typeof schema.decision>;

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

export const CHANNELS = ["chat", "tools", "cli", "mcp"] as const;

export type Channel = (typeof CHANNELS)[number];

/** Policies per channel at one time, as text. Equal rules have equal text. */
export type RulesByChannel = Readonly<Record<Channel, readonly string[]>>;

export function rulesByChannel(rulesOf: (channel: Channel) => readonly string[]): RulesByChannel {
	return Object.fromEntries(CHANNELS.map((channel) => [channel, rulesOf(channel)])) as RulesByChannel;
}

export type FromChannel<Query> = Query & { readonly channel: Channel };
