/** Grades of relevant documents by id; other documents are not relevant. */
export type Grades = ReadonlyMap<string, number>;

/** Measures of a ranking, from 0 to 1. */
export interface Quality {
	readonly ndcg: number;
	readonly averagePrecision: number;
	readonly recall: number;
}

const NDCG_DEPTH = 10;
const RECALL_DEPTH = 100;

export function qualityOf(ranking: readonly string[], grades: Grades): Quality {
	return {
		ndcg: ndcgAt(NDCG_DEPTH, ranking, grades),
		averagePrecision: averagePrecisionOf(ranking, grades),
		recall: ranking.slice(0, RECALL_DEPTH).filter((id) => grades.has(id)).length / Math.max(1, grades.size),
	};
}

/** Normalized discounted cumulative gain with linear gains, as in trec_eval (Järvelin and Kekäläinen, 2002). */
function ndcgAt(depth: number, ranking: readonly string[], grades: Grades): number {
	const best = [...grades.values()].sort((a, b) => b - a);
	const ideal = discounted(best.slice(0, depth));
	return ideal === 0 ? 0 : discounted(ranking.slice(0, depth).map((id) => grades.get(id) ?? 0)) / ideal;
}

function discounted(gains: readonly number[]): number {
	return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

function averagePrecisionOf(ranking: readonly string[], grades: Grades): number {
	let found = 0;
	let sum = 0;
	for (const [index, id] of ranking.entries()) {
		if (!grades.has(id)) continue;
		found++;
		sum += found / (index + 1);
	}
	return sum / Math.max(1, grades.size);
}

export function meanOf(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

const SHUFFLES = 10_000;

/**
 * The probability that two equally good systems differ as much on the same queries: Fisher's randomization
 * test, two-sided (Smucker, Allan and Carterette, 2007). Deterministic.
 */
export function randomisationTest(a: readonly number[], b: readonly number[]): number {
	const differences = a
		.map((value, index) => value - (b[index] ?? 0))
		.filter((difference) => difference !== 0);
	const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
	const random = createRandom(1);
	let asFar = 0;
	for (let shuffle = 0; shuffle < SHUFFLES; shuffle++) {
		let sum = 0;
		for (const difference of differences) sum += random() < 0.5 ? difference : -difference;
		if (Math.abs(sum) >= observed - 1e-12) asFar++;
	}
	return (asFar + 1) / (SHUFFLES + 1);
}

/** Seeded random numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Shuffles items with given random numbers. */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
	const keyed = items.map((item) => ({ item, key: random() }));
	return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
