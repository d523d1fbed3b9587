import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { WIKILINK } from "../../base/text/noteSyntax.ts";
import type { Place } from "../../core/knowledge/graph.ts";
import { idOf, namedNode, subjectOf } from "../../core/knowledge/rdf.ts";
import { compareSources, type Graph, type GraphQuad } from "../../graph/facts/graph.ts";
import { labelOf, nameOf, otherNamesOf } from "../../graph/facts/labels.ts";
import { aliasesOf } from "../../graph/facts/sameThings.ts";
import { viewThing } from "../../graph/things/thingView.ts";
import { contentOf } from "../../retrieve/candidate.ts";
import { spaced } from "../../retrieve/listing/values.ts";
import type { PassageReads } from "../../store/port/store.ts";

const SHOWN = 10;

/** Returns one line per property, with labels from all documents. Counts include links that are not listed. */
export function describeLinks(graph: Graph, id: string): string[] {
	const subject = subjectOf(id);
	const outgoing = [...graph.match({ subject })].filter(({ predicate }) => predicate.value !== RDF_TYPE);
	const aliases = aliasesOf(graph, id);
	return [
		...byProperty(graph, outgoing).flatMap(({ label, quads }) => linksFrom(graph, label, quads)),
		...byProperty(graph, graph.match({ object: subject })).map(({ label, quads }) => {
			const ids = [...new Set(quads.map((quad) => idOf(quad.subject)))].sort(compareTexts);
			const names = ids.slice(0, SHOWN).map((each) => shownName(each, nameOf(graph, subjectOf(each))));
			return `is the ${label} of ← ${listOf(names, ids.length)}`;
		}),
		...(aliases.length > 0 ? [`seems to be the same as: ${aliases.join(", ")}`] : []),
	];
}

function byProperty(graph: Graph, all: Iterable<GraphQuad>) {
	return [...Map.groupBy(all, ({ predicate }) => predicate.value)]
		.map(([iri, quads]) => ({ iri, label: nameOf(graph, namedNode(iri)), quads }))
		.sort((a, b) => compareTexts(a.label, b.label) || compareTexts(a.iri, b.iri));
}

function linksFrom(graph: Graph, property: string, quads: readonly GraphQuad[]): string[] {
	const inOrder = quads.toSorted(compareSources);
	const values = new Map(inOrder.map(({ object }) => [JSON.stringify(object), object]));
	const names = [...values.values()]
		.slice(0, SHOWN)
		.filter((value) => value.termType === "NamedNode")
		.map((value) => shownName(value.value, labelOf(graph, value)));
	return names.length > 0 ? [`${property} → ${listOf(names, values.size)}`] : [];
}

function shownName(id: string, label?: string): string {
	if (id.startsWith("_:")) return label ?? "something nameless";
	return label && label !== id ? `${label} <${id}>` : `<${id}>`;
}

function listOf(names: readonly string[], total: number): string {
	const left = total - names.length;
	return `${names.join("; ")}${left > 0 ? ` (and ${left} more of ${total})` : ""}`;
}

const MOST_PASSAGES = 200;

/** Minimum number of letters of a name: shorter names occur in nearly every text. */
const SHORTEST = 3;

/** Returns sections of other documents that name a note without a link to the note. */
export async function mentionsOf(note: string, graph: Graph, store: PassageReads): Promise<Place[]> {
	const subject = namedNode(viewThing(graph, note)?.id ?? note);
	const all = [labelOf(graph, subject) ?? "", ...otherNamesOf(graph, subject)];
	const names = all.filter((name) => name.length >= SHORTEST);
	const rows = new Set<number>();
	for (const name of names) {
		const { matches } = await store.matchText(name, { limit: MOST_PASSAGES, phrases: [name] });
		for (const { row } of matches) rows.add(row);
	}
	const wanted = names.map(spaced);
	const isMention = (text: string) => {
		const words = spaced(text.replace(WIKILINK, " | ").replace(/\[[^[\]]*\]\([^()]*\)/g, " | "));
		return wanted.some((name) => words.includes(name));
	};
	return [...(await store.read([...rows])).values()]
		.filter(({ uri, resource }) => uri !== note && resource === undefined)
		.flatMap(contentOf)
		.flatMap(({ uri, lines, text }) => (isMention(text) ? { uri, lines } : []))
		.sort((a, b) => compareTexts(a.uri, b.uri) || a.lines.start - b.lines.start);
}
