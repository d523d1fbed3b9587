import { cosine } from "../base/words/relevance.ts";
import type { WordModel } from "../core/knowledge/embedder.ts";

/** Similarity in meaning of a question's stem to the most similar of some stems, 0 to 1. */
export type Nearness = (asked: string, stems: ReadonlySet<string>) => number;

/** Maximum words of sections that are compared. */
const MOST_WORDS = 1200;

/** Minimum cosines of words that count as related and as the same, as measured in docs/eval.md. */
const RELATED = 0.3;
const SAME = 0.75;
/** The maximum for a different word, and the value for one that contains the other: `heating` and `heating bill`. */
const MOST = 0.8;
const CONTAINED = 0.7;
const SHORTEST_PREFIX = 4;

/** Words by their stems. */
export type Forms = ReadonlyMap<string, string>;

export async function createNearness(
	asked: Forms,
	told: Forms,
	model: WordModel | undefined,
): Promise<Nearness> {
	const others = [...told].slice(0, MOST_WORDS);
	const vectorAt = await embedAll([...asked.values(), ...others.map(([, form]) => form)], model);
	const vectors = others.map((_, index) => vectorAt(asked.size + index));
	const near = new Map(
		[...asked.keys()].map((stem, row) => {
			const own = vectorAt(row);
			const values = others.map(([other], index) => {
				const near = meaning(cosine(own, vectors[index] ?? NO_VECTOR));
				return [other, Math.max(contains(stem, other) ? CONTAINED : 0, near)] as const;
			});
			return [stem, values.filter(([, value]) => value > 0)] as const;
		}),
	);
	return (stem, stems) => {
		let most = 0;
		for (const [other, value] of near.get(stem) ?? []) if (value > most && stems.has(other)) most = value;
		return most;
	};
}

function meaning(cosine: number): number {
	return MOST * Math.max(0, Math.min(1, (cosine - RELATED) / (SAME - RELATED)));
}

function contains(a: string, b: string): boolean {
	const [short, long] = a.length < b.length ? [a, b] : [b, a];
	if (short.length < SHORTEST_PREFIX) return false;
	return long.startsWith(short) || (short.length > SHORTEST_PREFIX && long.endsWith(short));
}

export const NO_VECTOR = new Float32Array();

/** Embeds texts; returns the vector of a text by its index, empty without a model. */
export async function embedAll(texts: readonly string[], words: WordModel | undefined) {
	const vectors = (await words?.embed(texts)) ?? NO_VECTOR;
	const columns = vectors.length / texts.length;
	return (row: number) => vectors.subarray(row * columns, (row + 1) * columns);
}
