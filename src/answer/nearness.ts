import { cosine } from "../base/words/relevance.ts";
import type { WordModel } from "../core/knowledge/embedder.ts";

/** Similarity in meaning, from 0 to 1, of a stem in the question to the most similar one of `stems`. */
export type Nearness = (asked: string, stems: ReadonlySet<string>) => number;

const MOST_COMPARED_WORDS = 1200;

/** Cosines of words with the similarities 0 and `MOST`. See docs/eval.md. */
const RELATED = 0.3;
const SAME = 0.75;
/** Maximum similarity of different words. */
const MOST = 0.8;
/** Similarity of a word that begins or ends another word. */
const CONTAINED = 0.7;
const SHORTEST_PREFIX = 4;

export type Forms = ReadonlyMap<string, string>;

export async function createNearness(
	asked: Forms,
	told: Forms,
	model: WordModel | undefined,
): Promise<Nearness> {
	const others = [...told].slice(0, MOST_COMPARED_WORDS);
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

/** Embeds texts. Returns a function from the index of a text to its vector, which is empty without a model. */
export async function embedAll(texts: readonly string[], words: WordModel | undefined) {
	const vectors = (await words?.embed(texts)) ?? NO_VECTOR;
	const columns = vectors.length / texts.length;
	return (row: number) => vectors.subarray(row * columns, (row + 1) * columns);
}
