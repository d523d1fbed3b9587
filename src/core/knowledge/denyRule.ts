import type { Channel } from "../permission/permission.ts";

/** Hides whatever meets all conditions; a condition lists alternatives. A rule without conditions hides everything. */
export interface DenyRule {
	/** Patterns in `.gitignore` syntax, relative to the folder of the rule. */
	readonly paths?: readonly string[];
	/** IRIs of classes or their last segments, ignoring case. */
	readonly types?: readonly string[];
	readonly properties?: readonly string[];
	/** Channels to which the rule applies; absent for all channels. */
	readonly channels?: readonly Channel[];
}
