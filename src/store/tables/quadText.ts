import type { Quad, Subject, Term } from "../../core/knowledge/rdf.ts";

/** A literal; an IRI or a blank node (with its `_:`) is a plain string. */
type PackedTerm = string | readonly [value: string, datatype: string, language?: string];

/** Numbers are places in `terms`; -1 stands for the default graph. */
type PackedQuad = readonly [
	subject: number,
	predicate: number,
	object: number,
	graph: number,
	start: number,
	end: number,
];

interface Packed {
	readonly terms: readonly PackedTerm[];
	readonly quads: readonly PackedQuad[];
}

/** Quads as a short text: every term is written once. */
export function writeQuads(quads: readonly Quad[]): string {
	const places = new Map<string, number>();
	const terms: PackedTerm[] = [];
	const packed = quads.map(
		({ subject, predicate, object, graph, lines }): PackedQuad => [
			placeOf(subject),
			placeOf(predicate),
			placeOf(object),
			graph ? placeOf(graph) : -1,
			lines.start,
			lines.end,
		],
	);
	return JSON.stringify({ terms, quads: packed } satisfies Packed);

	function placeOf(term: Term): number {
		const packedTerm = packTerm(term);
		const key = typeof packedTerm === "string" ? packedTerm : JSON.stringify(packedTerm);
		const known = places.get(key);
		if (known !== undefined) return known;
		places.set(key, terms.length);
		return terms.push(packedTerm) - 1;
	}
}

/** Reads what `writeQuads` wrote. */
export function readQuads(text: string): Quad[] {
	const { terms, quads } = JSON.parse(text) as Packed;
	const unpacked = terms.map(unpackTerm);
	return quads.map(([subject, predicate, object, graph, start, end]) => ({
		subject: unpacked[subject] as Subject,
		predicate: unpacked[predicate] as Quad["predicate"],
		object: unpacked[object] as Term,
		...(graph >= 0 && { graph: unpacked[graph] as Subject }),
		lines: { start, end },
	}));
}

function packTerm(term: Term): PackedTerm {
	if (term.termType === "NamedNode") return term.value;
	if (term.termType === "BlankNode") return `_:${term.value}`;
	return term.language ? [term.value, term.datatype, term.language] : [term.value, term.datatype];
}

function unpackTerm(packed: PackedTerm): Term {
	if (typeof packed === "string")
		return packed.startsWith("_:")
			? { termType: "BlankNode", value: packed.slice(2) }
			: { termType: "NamedNode", value: packed };
	const [value, datatype, language] = packed;
	return { termType: "Literal", value, datatype, ...(language !== undefined && { language }) };
}
