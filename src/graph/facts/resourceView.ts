import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import type { Subject, Term } from "../../core/knowledge/rdf.ts";
import { aliasesOf } from "./aliases.ts";
import type { Graph, GraphQuad, GraphSource } from "./graph.ts";
import { labelOf, nameOf } from "./labels.ts";
import { idOf, subjectOf } from "./resourceId.ts";
import { sourcesOf } from "./sources.ts";

export interface ResourceView {
	/** Its IRI, or `_:` and the graph's label. */
	readonly id: string;
	readonly label: string;
	readonly types: readonly NamedId[];
	readonly properties: readonly PropertyView[];
	readonly incoming: readonly LinkView[];
	readonly sources: readonly GraphSource[];
	/** Ids that stand for the same thing. */
	readonly aliases: readonly string[];
	/** How many there are, whatever is shown. */
	readonly totals: { readonly values: number; readonly incoming: number };
	readonly truncated: boolean;
}

interface NamedId {
	readonly id: string;
	readonly label: string;
}

interface PropertyView extends NamedId {
	readonly values: readonly ValueView[];
	/** Distinct values there are. */
	readonly total: number;
}

interface ValueView {
	readonly term: Term;
	/** What the value is called, where it is a resource. */
	readonly label?: string;
	readonly sources: readonly GraphSource[];
}

interface LinkView extends NamedId {
	readonly subjects: readonly NamedId[];
	/** Distinct subjects there are. */
	readonly total: number;
}

/** `limit` holds for the values of each property and for the subjects of each incoming one. `undefined` if nothing speaks of the id. */
export function viewResource(graph: Graph, id: string, limit: number): ResourceView | undefined {
	const subject = subjectOf(id);
	const outgoing = [...graph.match({ subject })];
	const incoming = [...graph.match({ object: subject })];
	if (outgoing.length === 0 && incoming.length === 0) return undefined;
	const properties = viewProperties(graph, outgoing, limit);
	const links = viewLinks(graph, incoming, limit);
	return {
		id,
		label: nameOf(graph, subject),
		types: typesOf(graph, outgoing),
		properties,
		incoming: links,
		sources: sourcesOf(graph, subject),
		aliases: aliasesOf(graph, id),
		totals: { values: sumOfTotals(properties), incoming: sumOfTotals(links) },
		truncated: [...properties, ...links].some(({ total }) => total > limit),
	};
}

function sumOfTotals(views: readonly { readonly total: number }[]): number {
	return views.reduce((sum, { total }) => sum + total, 0);
}

function typesOf(graph: Graph, outgoing: readonly GraphQuad[]): NamedId[] {
	const types = outgoing.filter(({ predicate }) => predicate.value === RDF_TYPE).map(({ object }) => object);
	return distinctIds(types.filter((type) => type.termType !== "Literal")).map((id) => toNamedId(graph, id));
}

function distinctIds(subjects: readonly Subject[]): string[] {
	return [...new Set(subjects.map(idOf))].sort(compareTexts);
}

function toNamedId(graph: Graph, id: string): NamedId {
	return { id, label: nameOf(graph, subjectOf(id)) };
}

function viewProperties(graph: Graph, outgoing: readonly GraphQuad[], limit: number): PropertyView[] {
	const statements = outgoing.filter(({ predicate }) => predicate.value !== RDF_TYPE);
	return viewByPredicate(graph, statements, (quads) => {
		const byValue = Map.groupBy(quads.toSorted(byPlace), ({ object }) => JSON.stringify(object));
		const values = [...byValue.values()].slice(0, limit).map((same) => viewValue(graph, same));
		return { values, total: byValue.size };
	});
}

function byPlace(a: GraphQuad, b: GraphQuad): number {
	return compareTexts(a.document, b.document) || a.lines.start - b.lines.start;
}

function viewValue(graph: Graph, statements: readonly GraphQuad[]): ValueView {
	const [first] = statements;
	if (!first) throw new TypeError("A value has at least one statement.");
	const { object } = first;
	const label = object.termType === "Literal" ? undefined : labelOf(graph, object);
	return {
		term: object,
		...(label !== undefined && { label }),
		sources: statements.map(({ document, lines }) => ({ document, lines })),
	};
}

function viewLinks(graph: Graph, incoming: readonly GraphQuad[], limit: number): LinkView[] {
	return viewByPredicate(graph, incoming, (quads) => {
		const subjects = distinctIds(quads.map(({ subject }) => subject));
		return { subjects: subjects.slice(0, limit).map((id) => toNamedId(graph, id)), total: subjects.length };
	});
}

/** One view for every property of the statements, by its name. */
function viewByPredicate<View>(
	graph: Graph,
	statements: readonly GraphQuad[],
	view: (statements: readonly GraphQuad[]) => View,
): (NamedId & View)[] {
	const groups = Map.groupBy(statements, ({ predicate }) => predicate.value);
	return [...groups]
		.map(([predicate, quads]) => ({ ...toNamedId(graph, predicate), ...view(quads) }))
		.sort((a, b) => compareTexts(a.label, b.label) || compareTexts(a.id, b.id));
}
