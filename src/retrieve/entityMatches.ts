import type { Listing } from "../core/knowledge/knowledge.ts";
import type { Match } from "../search/match.ts";
import type { MatchOptions } from "../store/port/store.ts";
import type { GraphPath, ReachedNode } from "./entities/reachNodes.ts";
import type { ListingPorts } from "./listing/task.ts";

export interface EntityMatches {
	/** Best first; scores are 0 to 1. */
	readonly matches: readonly Match[];
	/** By row: how the graph leads there. */
	readonly via: ReadonlyMap<number, GraphPath>;
	/** For each name in the question, in full, the IRIs of what has it. */
	readonly named: readonly (readonly string[])[];
}

export interface EntityLeg {
	/** Reads the names that the graph has now, so that the next question need not. */
	refresh(): Promise<void>;
	/** What the question counts or lists, complete. */
	list(query: string, cite: ListingPorts["cite"]): Promise<Listing | undefined>;
	/** `use` gets the named nodes and what is around them, best first; the numbers of nodes hold while it runs. */
	reach<Result>(query: string, use: (reached: readonly ReachedNode[]) => Result): Promise<Result>;
	find(query: string, options: MatchOptions): Promise<EntityMatches>;
}
