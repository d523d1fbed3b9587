import type { Hit } from "../core/knowledge/knowledge.ts";
import { createRepetitions, type Repetitions } from "./repetitions.ts";

/** Best hits first, without repetitions, at most half from one document unless others add nothing. `isFull` if it is final. */
export function chooseHits<Found extends Pick<Hit, "uri" | "text" | "score">>(
	hits: readonly Found[],
	limit: number,
	repeats = createRepetitions(),
): { readonly hits: Found[]; readonly isFull: boolean } {
	const isLate = createLateness(Math.ceil(limit / 2), repeats);
	const [first, later] = [new Map<string, Found>(), new Map<string, Found>()];
	for (const hit of hits) {
		if (first.size >= limit) break;
		if (first.has(hit.text) || later.has(hit.text)) continue;
		(isLate(hit) ? later : first).set(hit.text, hit);
	}
	const chosen = [...first.values(), ...later.values()].slice(0, limit);
	return { hits: chosen.sort((a, b) => b.score - a.score), isFull: first.size >= limit };
}

/** Whether a hit gives way to others, of hits that come best first: its document has had its share, or has said this. */
function createLateness(most: number, repeats: Repetitions) {
	const said = new Map<string, string[]>();
	return ({ uri, text }: Pick<Hit, "uri" | "text">): boolean => {
		const texts = said.get(uri) ?? [];
		if (texts.length >= most || texts.some((other) => repeats(text, other))) return true;
		said.set(uri, [...texts, text]);
		return false;
	};
}
