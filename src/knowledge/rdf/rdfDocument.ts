import { hash } from "node:crypto";
import { pushTo } from "../../base/values.ts";
import type { ParsedDocument, Problem } from "../../core/knowledge/document.ts";
import { type BlankNode, idOf, type Quad, type Term, withTerms } from "../../core/knowledge/rdf.ts";
import { fileName, type Source } from "../passages/source.ts";
import { resourcesOf } from "../resources/resources.ts";
import { verbalize } from "../resources/verbalize.ts";

/** Statements and problems of a text. Blank-node labels are local to the text. */
export interface RdfContent {
	readonly quads: readonly Quad[];
	readonly problems: readonly Problem[];
}

export function toRdfDocument({ uri, text }: Source, content: RdfContent): ParsedDocument {
	const quads = canonicalize(distinct(content.quads));
	const resources = resourcesOf(quads);
	const title = resources.find(({ id }) => id === uri)?.label ?? fileName(uri);
	const passages = verbalize(resources, quads, { source: text });
	return { title, resources, quads, passages, problems: content.problems };
}

/** Key of a statement, independent of lines. Only literals can contain line breaks. */
export function quadKey({ subject, predicate, object, graph }: Quad): string {
	const place = `${idOf(subject)}\n${predicate.value}\n${graph ? idOf(graph) : ""}\n`;
	if (object.termType !== "Literal") return place + idOf(object);
	return `${place}"${object.datatype}\n${object.language ?? ""}\n${object.value}`;
}

export function distinct(quads: readonly Quad[]): Quad[] {
	// Not `Map.groupBy`: an array per key would slow down the reading of a large graph by 10 %.
	const first = new Map<string, Quad>();
	for (const quad of quads) {
		const key = quadKey(quad);
		if (!first.has(key)) first.set(key, quad);
	}
	return [...first.values()];
}

/**
 * Labels blank nodes by their statements, so that the order in the file rarely matters. Keeps the number and order
 * of quads. Hashes each node's statements as in RDFC-1.0 (https://www.w3.org/TR/rdf-canon/, 4.6). Repeats this for
 * nodes with equal hashes, with the hashes of their neighbors. Nodes that stay equal are numbered in file order.
 */
export function canonicalize(quads: readonly Quad[]): Quad[] {
	const quadsOf = new Map<string, Quad[]>();
	for (const quad of quads) for (const label of blankNodesOf(quad)) pushTo(quadsOf, label, quad);
	if (quadsOf.size === 0) return [...quads];
	const labels = numbered(colorsOf(quadsOf, 100_000 + 20 * quads.length));
	const rename = <T extends Term>(term: T): T | BlankNode =>
		term.termType === "BlankNode" ? { ...term, value: `b${labels.get(term.value)}` } : term;
	return quads.map((quad) => withTerms(quad, rename));
}

/** Hash of 64 bits in hexadecimal. */
export function digest(text: string): string {
	return hash("sha256", text, "hex").slice(0, 16);
}

type Colors = ReadonlyMap<string, string>;

/** Hashes (“colors”) of blank nodes by label. Nodes with like statements and like neighbors have the same color. */
function colorsOf(quadsOf: ReadonlyMap<string, readonly Quad[]>, visits: number): Colors {
	let colors: Colors = new Map();
	let [kinds, left] = [0, visits];
	for (let equal = [...quadsOf.keys()]; equal.length > 0 && left > 0; ) {
		const next = new Map(colors);
		for (const label of equal) {
			const quads = quadsOf.get(label) ?? [];
			left -= quads.length;
			const statements = quads.map((quad) => toStatement(quad, label, (other) => colors.get(other)));
			next.set(label, digest([colors.get(label) ?? [], statements.sort()].flat(2).join("\n")));
		}
		const classes = Map.groupBy(quadsOf.keys(), (label) => next.get(label));
		colors = next;
		if (classes.size === kinds) break;
		kinds = classes.size;
		equal = [...classes.values()].filter(({ length }) => length > 1).flat();
	}
	return colors;
}

function numbered(colors: Colors): Colors {
	const classes = Map.groupBy(colors, ([, color]) => color);
	const labels = new Map<string, string>();
	for (const [color, members] of classes)
		for (const [at, [label]] of members.entries())
			labels.set(label, at === 0 ? color : digest(`${color} ${at}`));
	return labels;
}

function blankNodesOf({ subject, object, graph }: Quad): Set<string> {
	const labels = new Set<string>();
	for (const term of [subject, object, graph]) if (term?.termType === "BlankNode") labels.add(term.value);
	return labels;
}

/** Serializes a quad from the view of `self`. Other blank nodes are anonymous unless `nameOf` names them. */
function toStatement(quad: Quad, self: string, nameOf: (label: string) => string | undefined): string {
	const { subject, predicate, object, graph } = quad;
	const write = (term: Term): string => {
		if (term.termType === "NamedNode") return `<${term.value}>`;
		if (term.termType === "BlankNode") return term.value === self ? "_:a" : (nameOf(term.value) ?? "_:z");
		return `"${term.value}"^^<${term.datatype}>@${term.language ?? ""}`;
	};
	return `${write(subject)} <${predicate.value}> ${write(object)} ${graph ? write(graph) : ""}`;
}
