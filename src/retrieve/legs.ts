import type { Embedder } from "../core/embedder.ts";
import type { MatchOptions, Store } from "../store/store.ts";
import type { EntityLeg } from "./entities/entityLeg.ts";
import type { GraphPath } from "./entities/graphPath.ts";
import type { LegResults } from "./fuse.ts";

export interface LegPorts {
	readonly store: Pick<Store, "matchText" | "matchVector" | "stale">;
	readonly embedder: Embedder | undefined;
}

export interface LegRun extends LegResults {
	/** How many passages have a word of the query. */
	readonly total: number;
	/** By row: how the graph leads there. */
	readonly via: ReadonlyMap<number, GraphPath>;
}

/** Asks all legs at once. `entities` is absent where no graph can be asked. */
export async function runLegs(
	query: string,
	options: MatchOptions,
	{ store, embedder, entities }: LegPorts & { readonly entities: EntityLeg | undefined },
	signal: AbortSignal,
): Promise<LegRun> {
	const embedding = embedder?.embed([query], signal);
	const [text, vector, entity] = await Promise.all([
		store.matchText(query, options),
		runVectorLeg(),
		runEntityLeg(),
	]);
	signal.throwIfAborted();
	return {
		text: text.matches,
		total: text.total,
		...(vector && { vector }),
		...(entity && { entity: entity.matches }),
		via: entity?.via ?? new Map(),
	};

	async function runVectorLeg() {
		const vector = await embedding;
		return vector && !store.stale ? store.matchVector(vector, options) : undefined;
	}

	async function runEntityLeg() {
		return entities?.find({ query, vector: await embedding }, options);
	}
}

/** What a person must know about legs that did not run. */
export function missingLegs({ store, embedder }: LegPorts): string[] {
	if (store.stale) return [`Only words were searched. ${store.stale}`];
	return embedder ? [] : ["Only words were searched: there is no embedder."];
}
