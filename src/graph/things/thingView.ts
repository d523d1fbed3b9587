import { isNaming } from "../../base/rdf/naming.ts";
import { RDF_TYPE, SCHEMA } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { visibleLines } from "../../base/text/visibleText.ts";
import type { FoundThing, NamedThing, Place, ThingKind, ThingView } from "../../core/knowledge/graph.ts";
import { idOf, type Subject, subjectOf, type Term } from "../../core/knowledge/rdf.ts";
import type { Graph, GraphQuad } from "../facts/graph.ts";
import { kindOfNode, nameOf, sourcesOf } from "../facts/labels.ts";
import { aliasesOf } from "../facts/sameThings.ts";

/** Maximum number of values shown per property. */
const VALUES = 3;
const PROPERTIES = 8;
const VALUE_LENGTH = 160;
const LABEL_LENGTH = 200;

/** Number of members of a class that are sampled for the class's usual properties. */
const MEMBERS = 200;
const MOST_POINTERS = 10_000;
const MOST_STATEMENTS = 10_000;

/** The documents' statements about a resource; `null` if no document mentions the resource. */
export function viewThing(graph: Graph, iri: string): ThingView | null {
	const id = described(graph, iri);
	const subject = subjectOf(id);
	const statements = graph.match({ subject }).take(MOST_STATEMENTS).toArray();
	const pointers = countPointers(graph, iri);
	if (statements.length === 0 && pointers === 0) return null;
	const kind = kindOf(graph, subject);
	return {
		...named(graph, subject),
		kind,
		types: typesIn(graph, statements),
		properties: propertiesIn(graph, statements),
		places: sourcesOf(graph, subject).map(({ document, lines }) => ({ uri: document, lines })),
		pointers,
		aliases: aliasesOf(graph, id),
		usual: kind === "class" ? usualProperties(graph, subject) : [],
	};
}

/** The main resource of a file, if the file names a main resource; otherwise the IRI itself. */
function described(graph: Graph, iri: string): string {
	if (!iri.startsWith("file:") || graph.count({ subject: subjectOf(iri) }) > 0) return iri;
	const [own] = graph.match({ predicate: `${SCHEMA}url`, object: subjectOf(iri), document: iri });
	return own ? idOf(own.subject) : iri;
}

function idsOf(graph: Graph, iri: string): Subject[] {
	return [...new Set([iri, described(graph, iri)])].map(subjectOf);
}

/** Places of statements with the resource as value or property, up to `MOST_POINTERS`. */
export function pointersTo(graph: Graph, iri: string): Place[] {
	return idsOf(graph, iri)
		.values()
		.flatMap((subject) => [{ object: subject }, { predicate: subject.value }])
		.flatMap((pattern) => graph.match(pattern))
		.map(({ document, lines }) => ({ uri: document, lines }))
		.take(MOST_POINTERS)
		.toArray();
}

export function countPointers(graph: Graph, iri: string): number {
	const countOf = (subject: Subject) =>
		graph.count({ object: subject }) + graph.count({ predicate: subject.value });
	return idsOf(graph, iri).reduce((sum, subject) => sum + countOf(subject), 0);
}

export function foundThing(graph: Graph, subject: Subject): FoundThing {
	const [first] = sourcesOf(graph, subject);
	const types = typesIn(graph, [...graph.match({ subject, predicate: RDF_TYPE })]).map(({ label }) => label);
	const place = first && { uri: first.document, lines: first.lines };
	return { ...named(graph, subject), kind: kindOf(graph, subject), types, ...(place && { place }) };
}

export function membersOf(graph: Graph, type: string, limit: number): FoundThing[] {
	const members = graph.match({ predicate: RDF_TYPE, object: subjectOf(type) }).map(({ subject }) => subject);
	const things = new Map(members.map((subject) => [idOf(subject), subject])).values().take(MOST_STATEMENTS);
	return [...things]
		.map((subject) => ({ subject, label: nameOf(graph, subject) }))
		.sort((a, b) => compareTexts(a.label, b.label))
		.slice(0, limit)
		.map(({ subject }) => foundThing(graph, subject));
}

function kindOf(graph: Graph, subject: Subject): ThingKind {
	const node = graph.numberOf(subject);
	return node === 0 ? "thing" : kindOfNode(graph, node);
}

export function named(graph: Graph, subject: Subject): NamedThing {
	return { id: idOf(subject), label: shownText(nameOf(graph, subject), LABEL_LENGTH) };
}

/** Shortens the text and makes every character visible: long names and reversed text would hide neighboring text. */
function shownText(text: string, most: number): string {
	return visibleLines(text.length > most ? `${text.slice(0, most)}…` : text);
}

function typesIn(graph: Graph, statements: readonly GraphQuad[]): NamedThing[] {
	const types = new Map<string, NamedThing>();
	for (const { predicate, object } of statements)
		if (predicate.value === RDF_TYPE && object.termType !== "Literal")
			types.set(object.value, named(graph, object));
	return [...types.values()];
}

/** Omits naming properties, because the view already shows the label. */
function propertiesIn(graph: Graph, statements: readonly GraphQuad[]): ThingView["properties"] {
	const told = statements.filter(({ predicate: { value } }) => value !== RDF_TYPE && !isNaming(value));
	const groups = Map.groupBy(told, ({ predicate }) => predicate.value);
	return [...groups.values()].slice(0, PROPERTIES).flatMap((quads) => {
		const values = new Map(quads.map(({ object }) => [`${object.termType} ${object.value}`, object]));
		const shown = [...values.values()].slice(0, VALUES).map((object) => textOf(graph, object));
		const [first] = quads;
		if (!first) return [];
		const { subject, predicate } = first;
		const isAll = statements.length < MOST_STATEMENTS;
		const total = isAll ? values.size : graph.count({ subject, predicate: predicate.value });
		return [{ ...named(graph, predicate), values: shown, total }];
	});
}

function textOf(graph: Graph, term: Term): string {
	const text = term.termType === "Literal" ? term.value : nameOf(graph, term);
	const beginning = text.slice(0, 2 * VALUE_LENGTH).replace(/\s+/g, " ");
	return shownText(beginning.trim(), VALUE_LENGTH);
}

/** Properties of a sample of the class's members, most common first. */
function usualProperties(graph: Graph, type: Subject): NamedThing[] {
	const counts = new Map<number, number>();
	const [typeNode, classNode] = [subjectOf(RDF_TYPE), type].map((term) => graph.numberOf(term));
	if (!typeNode || !classNode) return [];
	for (const { subject } of graph.walk({ predicate: typeNode, object: classNode }).take(MEMBERS)) {
		const own = new Set([...graph.walk({ subject })].map(({ predicate }) => predicate));
		own.delete(typeNode);
		for (const predicate of own) counts.set(predicate, (counts.get(predicate) ?? 0) + 1);
	}
	return [...counts]
		.sort((a, b) => b[1] - a[1])
		.map(([predicate]) => named(graph, subjectOf(graph.termAt(predicate).value)));
}
