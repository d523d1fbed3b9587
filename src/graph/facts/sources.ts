import type { Subject } from "../../core/knowledge/rdf.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Graph } from "./graph.ts";

/** A place that describes a subject. */
export interface GraphSource {
	/** URI. */
	readonly document: string;
	readonly lines: LineRange;
}

/** Statements that stand this close together are one place. */
const GAP_LINES = 3;

/** Statements that are looked at: of more nobody could see the places. */
const MOST_STATEMENTS = 10_000;

/** Every place that describes the subject, by document URI and line. */
export function sourcesOf(graph: Graph, subject: Subject): GraphSource[] {
	const statements = someOf(graph.match({ subject }), MOST_STATEMENTS).sort(compareSources);
	const places: { document: string; lines: LineRange }[] = [];
	for (const { document, lines } of statements) {
		const place = places.at(-1);
		if (place?.document === document && lines.start - place.lines.end <= GAP_LINES)
			place.lines = { start: place.lines.start, end: Math.max(place.lines.end, lines.end) };
		else places.push({ document, lines });
	}
	return places;
}

/** The first of what is read as long as it is wanted. */
export function someOf<Item>(items: Iterable<Item>, most: number): Item[] {
	const taken: Item[] = [];
	for (const item of items) if (taken.push(item) >= most) break;
	return taken;
}

/** By document URI and line. */
export function compareSources(a: GraphSource, b: GraphSource): number {
	return compareTexts(a.document, b.document) || a.lines.start - b.lines.start;
}

/** By code units, so that the order is the same on every machine. */
export function compareTexts(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
