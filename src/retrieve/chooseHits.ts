import type { Hit } from "../core/knowledge.ts";

/**
 * The best hits, best first. A text counts once, and one document fills at most half of the limit
 * unless the others have nothing more to say.
 */
export function chooseHits<Found extends Pick<Hit, "uri" | "text" | "score">>(
	hits: readonly Found[],
	limit: number,
): Found[] {
	const most = Math.ceil(limit / 2);
	const [first, later] = [new Map<string, Found>(), new Map<string, Found>()];
	const counts = new Map<string, number>();
	for (const hit of hits) {
		if (first.has(hit.text) || later.has(hit.text)) continue;
		const count = (counts.get(hit.uri) ?? 0) + 1;
		counts.set(hit.uri, count);
		(count > most ? later : first).set(hit.text, hit);
	}
	return [...first.values(), ...later.values()].slice(0, limit).sort((a, b) => b.score - a.score);
}
