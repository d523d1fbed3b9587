import { lastSegment, localNameOf } from "../../base/rdf/iriNames.ts";
import { RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { namedNode, type Subject } from "../../core/knowledge/rdf.ts";
import { compareSources, type Graph, type GraphQuad } from "./graph.ts";

/** What a property that names its subject is called, the best first, in whatever vocabulary. */
const NAMING = ["name", "label", "preflabel", "title", "headline", "fn", "legalname"];

export function isNaming(predicate: string): boolean {
	return rankOfProperty(predicate) < NAMING.length;
}

/** The name of a resource in any document; `undefined` if nothing names it. The same whatever the order of the documents. */
export function labelOf(graph: Graph, subject: Subject): string | undefined {
	return labelledBy(graph, subject)?.label;
}

/** The same, with the statement that says so. */
export function labelledBy(
	graph: Graph,
	subject: Subject,
): { readonly label: string; readonly statement: GraphQuad } | undefined {
	const names = [...namingStatements(graph, subject)].filter(
		({ object }) => object.termType === "Literal" && object.value.trim() !== "",
	);
	const [statement] = names.sort(
		(a, b) => rankOf(a) - rankOf(b) || compareTexts(a.object.value, b.object.value) || compareSources(a, b),
	);
	return statement && { label: statement.object.value.replace(/\s+/g, " ").trim(), statement };
}

/** Few of many statements about a thing name it: reads only those. */
function* namingStatements(graph: Graph, subject: Subject): Generator<GraphQuad> {
	const node = graph.numberOf(subject);
	const properties = new Set<number>();
	if (node !== 0) for (const { predicate } of graph.walk({ subject: node })) properties.add(predicate);
	for (const property of properties) {
		const predicate = graph.termAt(property).value;
		if (isNaming(predicate)) yield* graph.match({ subject, predicate });
	}
}

export function nameOf(graph: Graph, subject: Subject): string {
	const label = labelOf(graph, subject);
	if (label !== undefined) return label;
	return subject.termType === "BlankNode" ? `_:${subject.value}` : lastSegment(subject.value);
}

/** What a node is called, by its number; a literal by its text. */
export function labelIn(graph: Graph, node = 0): string {
	const term = graph.termAt(node);
	return term.termType === "Literal" ? term.value : nameOf(graph, term);
}

/** A text without a language or in English goes before other languages. */
function rankOf({ predicate, object }: GraphQuad): number {
	const language = object.termType === "Literal" ? (object.language ?? "en") : "en";
	return rankOfProperty(predicate.value) * 2 + (language.startsWith("en") ? 0 : 1);
}

function rankOfProperty(predicate: string): number {
	const rank = NAMING.indexOf(localNameOf(predicate).toLowerCase());
	return rank < 0 ? NAMING.length : rank;
}

export function kindOfNode(graph: Graph, node: number): "class" | "property" | "thing" {
	if (graph.has({ predicate: node })) return "property";
	const iri = (value: string) => graph.numberOf(namedNode(value));
	const [type, subClassOf] = [iri(RDF_TYPE), iri(`${RDFS}subClassOf`)];
	const isClass = [type, subClassOf].some((predicate) => predicate && graph.has({ predicate, object: node }));
	if (isClass) return "class";
	for (const { object } of type === 0 ? [] : graph.walk({ subject: node, predicate: type })) {
		const declared = localNameOf(graph.termAt(object).value);
		if (declared.endsWith("Property")) return "property";
		if (declared === "Class") return "class";
	}
	return "thing";
}
