import type { Door } from "../permission/permission.ts";

/** Hides what meets all that it names; of a list, one entry must be met. One that names nothing hides everything. */
export interface DenyRule {
	/** Patterns as in a `.gitignore`, relative to the folder of the rule. */
	readonly paths?: readonly string[];
	/** Classes: IRIs or their last segments, in any case. */
	readonly types?: readonly string[];
	/** As `types`. */
	readonly properties?: readonly string[];
	/** From whom it is hidden; absent, from all. */
	readonly doors?: readonly Door[];
}
