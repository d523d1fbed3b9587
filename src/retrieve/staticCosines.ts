import type { TextEmbedder } from "../core/knowledge/embedder.ts";
import type { Match } from "../search/match.ts";
import type { PassageReads } from "../store/port/store.ts";

/** Weight of the built-in model, which separates words that a transformer blurs. See docs/experiments.md. */
const SHARE = 1 / 13;

/** Results of a transformer, best first, and cosines by row of passages that other legs found. */
interface Near {
	readonly vector: readonly Match[];
	readonly cosines: ReadonlyMap<number, number>;
}

/** Combines cosines of a transformer with cosines of the built-in model, whose vectors are computed on demand. */
export async function withStaticCosines(
	query: string,
	{ vector, cosines }: Near,
	ports: { readonly store: Pick<PassageReads, "read">; readonly words: TextEmbedder },
): Promise<Near> {
	const near = await staticCosines(query, [...vector.map(({ row }) => row), ...cosines.keys()], ports);
	const unit = (vector[0]?.score ?? 0) / Math.max(...near.values());
	const join = (row: number, cosine: number) => {
		const own = near.get(row);
		return own === undefined ? cosine : (1 - SHARE) * cosine + SHARE * unit * own;
	};
	const joined = vector.map((match) => ({ ...match, score: join(match.row, match.score) }));
	return {
		vector: joined.sort((a, b) => b.score - a.score),
		cosines: new Map(Array.from(cosines, ([row, cosine]) => [row, join(row, cosine)])),
	};
}

async function staticCosines(
	query: string,
	rows: readonly number[],
	{ store, words }: Parameters<typeof withStaticCosines>[2],
): Promise<Map<number, number>> {
	const passages = [...(await store.read(rows))];
	const texts = passages.map(([, { title, text }]) => `${title}\n${text}`);
	const vectors = await words.embed([query, ...texts]);
	const dimensions = vectors.length / (texts.length + 1);
	const asked = vectors.subarray(0, dimensions);
	const cosines = passages.map(([row], index) => {
		const start = (index + 1) * dimensions;
		return [row, asked.reduce((sum, value, d) => sum + value * (vectors[start + d] ?? 0), 0)] as const;
	});
	return new Map(cosines.filter(([, cosine]) => cosine > 0));
}
