import type { Door } from "../permission/permission.ts";

/** Hides whatever matches all conditions, each a list of alternatives. Without conditions, hides all. */
export interface DenyRule {
	/** Patterns in `.gitignore` syntax, relative to the folder of the rule. */
	readonly paths?: readonly string[];
	/** Classes: IRIs or their last segments, ignoring case. */
	readonly types?: readonly string[];
	readonly properties?: readonly string[];
	/** Channels from which it is hidden; absent for all. */
	readonly doors?: readonly Door[];
}
