import type { Embedder } from "../core/embedder.ts";
import type { MatchOptions, Store } from "../store/store.ts";
import type { LegResults } from "./fuse.ts";

export interface LegPorts {
	readonly store: Pick<Store, "matchText" | "matchVector" | "typicalCosine" | "stale">;
	readonly embedder: Embedder | undefined;
}

/** Asks all legs at once. */
export async function runLegs(
	query: string,
	options: MatchOptions,
	{ store, embedder }: LegPorts,
	signal: AbortSignal,
): Promise<LegResults> {
	const [text, vector] = await Promise.all([store.matchText(query, options), runVectorLeg()]);
	signal.throwIfAborted();
	return { text, ...(vector && { vector: vector.matches }), typicalCosine: vector?.typicalCosine ?? 0 };

	async function runVectorLeg() {
		if (!embedder || store.stale) return undefined;
		const embedded = await embedder.embed([query], signal);
		const [matches, typicalCosine] = await Promise.all([
			store.matchVector(embedded, options),
			store.typicalCosine(embedded),
		]);
		return { matches, typicalCosine };
	}
}

/** What a person must know about legs that did not run. */
export function missingLegs({ store, embedder }: LegPorts): string[] {
	if (store.stale) return [`Only words were searched. ${store.stale}`];
	return embedder ? [] : ["Only words were searched: there is no embedder."];
}
