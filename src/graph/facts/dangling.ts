import { localNameOf } from "../../base/rdf/iriNames.ts";
import { RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { wordList } from "../../base/words/wordList.ts";
import { namedNode } from "../../core/knowledge/rdf.ts";
import type { Graph } from "./graph.ts";
import { isNaming } from "./labels.ts";

/** Dead links by document and line: IRIs next to others that are described. Pages, files and foreign data do not count. */
export function findDanglingLinks(graph: Graph) {
	const described = findDescribed(graph);
	const spaces = new Set([...described].map(spaceOf));
	spaces.delete("");
	return findLinked(graph)
		.filter((iri) => spaces.has(spaceOf(iri)) && !described.has(iri) && localNameOf(iri) !== "")
		.flatMap((iri) => linksTo(graph, iri))
		.sort(
			(a, b) =>
				compareTexts(a.document, b.document) || a.lines.start - b.lines.start || compareTexts(a.iri, b.iri),
		);
}

function linksTo(graph: Graph, iri: string) {
	return [...graph.match({ object: namedNode(iri) })]
		.filter(({ predicate }) => isLink(predicate.value))
		.map(({ document, lines }) => ({ iri, document, lines }));
}

/** Local names of properties whose values are pages and files, in whatever vocabulary. */
const PAGE_PROPERTIES = new Set(
	wordList(`
	coderepository contenturl depiction discussionurl downloadurl embedurl homepage image img installurl isdefinedby
	license logo mainentityofpage page photo relatedlink sameas seealso significantlink thumbnail thumbnailurl url
`),
);

function isLink(predicate: string): boolean {
	return predicate !== RDF_TYPE && !PAGE_PROPERTIES.has(localNameOf(predicate).toLowerCase());
}

function findLinked(graph: Graph): string[] {
	const linking = new Map<number, boolean>();
	const linked = new Set<number>();
	for (const { predicate, object } of graph.walk()) {
		const links = linking.get(predicate) ?? isLink(graph.termAt(predicate).value);
		linking.set(predicate, links);
		if (links) linked.add(object);
	}
	return iris(graph, linked);
}

function iris(graph: Graph, numbers: Iterable<number>): string[] {
	return [...numbers]
		.map((number) => graph.termAt(number))
		.filter(({ termType }) => termType === "NamedNode")
		.map(({ value }) => value);
}

/** IRIs with statements. A name alone does not count if all others of the namespace have a class: links repeat names. */
function findDescribed(graph: Graph): Set<string> {
	const classed = new Set<number>();
	const told = new Set<number>();
	const all = new Set<number>();
	for (const { subject, predicate } of graph.walk()) {
		all.add(subject);
		const iri = graph.termAt(predicate).value;
		if (iri === RDF_TYPE) classed.add(subject);
		else if (!isNaming(iri)) told.add(subject);
	}
	const full = iris(graph, classed.union(told));
	const looseSpaces = new Set(iris(graph, told.difference(classed)).map(spaceOf));
	const classedSpaces = new Set(full.map(spaceOf)).difference(looseSpaces);
	const named = iris(graph, all.difference(classed).difference(told));
	return new Set([...full, ...named.filter((iri) => !classedSpaces.has(spaceOf(iri)))]);
}

/** The part of an IRI that says whose it is: up to the `#`, or the site with the first part of its path. Empty for files. */
function spaceOf(iri: string): string {
	const [withoutFragment = ""] = iri.split("#", 1);
	if (withoutFragment.length < iri.length) return `${withoutFragment}#`;
	if (iri.startsWith("file:")) return "";
	return /^[a-z][\w+.-]*:\/\/[^/]*\/(?:[^/]+\/)?|^urn:[^:]*:/i.exec(iri)?.[0] ?? "";
}
