import { RDF } from "../../base/rdf/vocabulary.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import { idOf, isSubject } from "./terms.ts";

/** Cells after this many are left out of what is told of a list. */
const MAX_ITEMS = 1000;

const CELL_PROPERTIES = new Set([`${RDF}first`, `${RDF}rest`, `${RDF}type`]);

/** Whether a node is only a cell of a list: nothing that a document talks about. */
export function isListCell(id: string, quads: readonly Quad[]): boolean {
	return (
		id.startsWith("_:") &&
		quads.length <= CELL_PROPERTIES.size &&
		quads.some(({ predicate }) => predicate.value === `${RDF}rest`) &&
		quads.every(({ predicate }) => CELL_PROPERTIES.has(predicate.value))
	);
}

/** What stands in the list that begins with a cell. `quadsOf`: the statements about a node. */
export function itemsOf(head: Term, quadsOf: (id: string) => readonly Quad[]): Term[] {
	const items: Term[] = [];
	let cell: Term | undefined = head;
	while (cell && isSubject(cell) && items.length < MAX_ITEMS) {
		const quads: readonly Quad[] = quadsOf(idOf(cell));
		const item = quads.find(({ predicate }) => predicate.value === `${RDF}first`)?.object;
		if (item) items.push(item);
		cell = item && quads.find(({ predicate }) => predicate.value === `${RDF}rest`)?.object;
	}
	return items;
}
