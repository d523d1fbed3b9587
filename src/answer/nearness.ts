import type { WordModel } from "../core/knowledge/embedder.ts";

/** Nearness in meaning of a stem of a question to the nearest of these stems of sections, 0 to 1. */
export type Nearness = (asked: string, stems: ReadonlySet<string>) => number;

/** Words of sections that are compared. */
const MOST_WORDS = 1200;

/** Cosine of words from which on they count as related, and from which on as the same; measured in docs/eval.md. */
const RELATED = 0.3;
const SAME = 0.75;
/** What another word counts at most, and a word that contains the other one: `heating` and `heating bill`. */
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
	const vectors = await model?.embed([...asked.values(), ...others.map(([, form]) => form)]);
	const columns = vectors ? vectors.length / (asked.size + others.length) : 0;
	const near = new Map(
		[...asked.keys()].map((stem, row) => {
			const nearnessOf = (other: string, index: number) => {
				const cosine = vectors ? cosineOf(vectors, { row, other: asked.size + index, columns }) : 0;
				return Math.max(contains(stem, other) ? CONTAINED : 0, meaning(cosine));
			};
			const values = others.map(([other], index) => [other, nearnessOf(other, index)] as const);
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

interface Pair {
	readonly row: number;
	readonly other: number;
	readonly columns: number;
}

function cosineOf(vectors: Float32Array, { row, other, columns }: Pair): number {
	let sum = 0;
	for (let at = 0; at < columns; at++)
		sum += (vectors[row * columns + at] as number) * (vectors[other * columns + at] as number);
	return sum;
}
