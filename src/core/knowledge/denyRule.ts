import type { Door } from "../permission/permission.ts";

/** Hides what matches all of its conditions; a list matches if one entry does. A rule without conditions hides everything. */
export interface DenyRule {
	/** Patterns as in a `.gitignore`, relative to the folder of the rule. */
	readonly paths?: readonly string[];
	/** Classes: IRIs or their last segments, in any case. */
	readonly types?: readonly string[];
	readonly properties?: readonly string[];
	/** From whom it is hidden; absent, from all. */
	readonly doors?: readonly Door[];
}
