import { RDF } from "../../src/base/rdf/vocabulary.ts";
import { idOf, isSubject, type Quad, type Subject, type Term } from "../../src/core/knowledge/rdf.ts";
import { canonicalize, distinct, quadKey } from "../../src/knowledge/rdf/rdfDocument.ts";

/** The additional and missing statements of a graph; `undefined` if the graphs are equal. */
export function differenceOf(found: readonly Quad[], expected: readonly Quad[]): string | undefined {
	const [has, wants] = [keysOf(found), keysOf(expected)];
	const [extra, missing] = [has.difference(wants), wants.difference(has)];
	if (extra.size + missing.size === 0) return undefined;
	return [...show("missing", missing), ...show("not expected", extra)].join("; ");
}

/** Statements with canonical labels, which are equal for equal graphs. */
function keysOf(quads: readonly Quad[]): Set<string> {
	return new Set(canonicalize(distinct(quads)).map(quadKey));
}

function show(word: string, keys: ReadonlySet<string>): string[] {
	const [first] = keys;
	return first === undefined
		? []
		: [`${keys.size} ${word}, such as ${first.replaceAll("\n", " ").slice(0, 200)}`];
}

/** A graph with look-ups. */
export interface Graph {
	subjects(property: string, object: string): string[];
	/** The IRI, label or text of the first value. */
	value(subject: string, property: string): string | undefined;
	values(subject: string, property: string): string[];
	/** The values, or the items of the list if the value is a list. */
	items(subject: string, property: string): string[];
}

export function createGraph(quads: readonly Quad[]): Graph {
	const matching = (subject: string, property: string): Quad[] =>
		quads.filter((quad) => idOf(quad.subject) === subject && quad.predicate.value === property);
	const values = (subject: string, property: string): string[] =>
		matching(subject, property).map(({ object }) => textOf(object));
	const value = (subject: string, property: string): string | undefined => values(subject, property)[0];
	return {
		subjects: (property, object) =>
			quads
				.filter((quad) => quad.predicate.value === property && textOf(quad.object) === object)
				.map(({ subject }) => idOf(subject)),
		value,
		values,
		items(subject, property) {
			const items: string[] = [];
			let cell = value(subject, property);
			let first = cell && value(cell, `${RDF}first`);
			while (cell && first) {
				items.push(first);
				cell = value(cell, `${RDF}rest`);
				first = cell && value(cell, `${RDF}first`);
			}
			return items.length > 0 ? items : values(subject, property);
		},
	};
}

function textOf(term: Term | Subject): string {
	return isSubject(term) ? idOf(term) : term.value;
}
