import type { Subject } from "../../core/knowledge/rdf.ts";
import { type LineRange, MOST_LINES } from "../../core/knowledge/source.ts";
import { compareSources, type Graph, type GraphSource } from "./graph.ts";

/** Statements that stand this close together are one place. */
const GAP_LINES = 3;

/** Statements that are looked at: of more nobody could see the places. */
const MOST_STATEMENTS = 10_000;

/** Every place that describes the subject, by document URI and line. */
export function sourcesOf(graph: Graph, subject: Subject): GraphSource[] {
	return placesOf(graph, subject).map(({ document, lines }) => ({ document, lines }));
}

/** The place that says most of the subject; of a long one the first lines. */
export function fullestSourceOf(graph: Graph, subject: Subject): GraphSource | undefined {
	const [place] = placesOf(graph, subject).toSorted((a, b) => b.statements - a.statements);
	if (!place) return undefined;
	const { start, end } = place.lines;
	return { document: place.document, lines: { start, end: Math.min(end, start + MOST_LINES - 1) } };
}

function placesOf(graph: Graph, subject: Subject) {
	const statements = someOf(graph.match({ subject }), MOST_STATEMENTS).sort(compareSources);
	const places: { readonly document: string; lines: LineRange; statements: number }[] = [];
	for (const { document, lines } of statements) {
		const place = places.at(-1);
		if (place?.document === document && lines.start - place.lines.end <= GAP_LINES) {
			place.lines = { start: place.lines.start, end: Math.max(place.lines.end, lines.end) };
			place.statements++;
		} else places.push({ document, lines, statements: 1 });
	}
	return places;
}

/** The first of what is read as long as it is wanted. */
export function someOf<Item>(items: Iterable<Item>, most: number): Item[] {
	const taken: Item[] = [];
	for (const item of items) if (taken.push(item) >= most) break;
	return taken;
}
