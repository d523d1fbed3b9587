import { localNameOf, OWL, RDF_TYPE, SCHEMAS, SKOS } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { wordList } from "../../base/words/wordList.ts";
import { idOf, type Subject, subjectOf } from "../../core/knowledge/rdf.ts";
import { type Graph, type GraphQuad, perVersion } from "./graph.ts";

/** One or two statements by which two ids denote the same resource. */
interface Sameness {
	/** Ids; the first is the subject of the first statement. */
	readonly between: readonly [string, string];
	readonly reason: "same as" | "equal identifier";
	readonly statements: readonly GraphQuad[];
}

const SAME_AS = [`${OWL}sameAs`, ...SCHEMAS.map((namespace) => `${namespace}sameAs`), `${SKOS}exactMatch`];

/** Local names of properties that identify a resource within its class, in any vocabulary. */
const IDENTIFYING = new Set(
	wordList("identifier isbn issn doi orcid gtin gtin8 gtin12 gtin13 gtin14 leicode taxid vatid"),
);

export function isIdentifying(predicate: string): boolean {
	return IDENTIFYING.has(localNameOf(predicate).toLowerCase());
}

/** All reasons why an id equals others, in one step. */
function samenessOf(graph: Graph, id: string): Sameness[] {
	const subject = subjectOf(id);
	const { stating, isIdentified } = predicatesOf(graph);
	const stated = stating.flatMap((predicate) => [
		...graph.match({ subject, predicate }),
		...graph.match({ object: subject, predicate }),
	]);
	const identifiers = isIdentified(subject)
		? [...graph.match({ subject })].filter(
				({ predicate, object }) => isIdentifying(predicate.value) && object.termType === "Literal",
			)
		: [];
	return [...stated.flatMap(toSameness), ...identifiers.flatMap((quad) => shareIdentifier(graph, quad))];
}

/** Kept per version: every search asks for the aliases of all hits. */
const predicatesOf = perVersion((graph) => {
	const identifying = new Set(
		graph.predicates().filter((predicate) => isIdentifying(graph.termAt(predicate).value)),
	);
	return {
		/** The "same as" properties in use. */
		stating: SAME_AS.filter((predicate) => graph.count({ predicate }) > 0),
		isIdentified: (subject: Subject) => {
			const number = identifying.size > 0 ? graph.numberOf(subject) : 0;
			if (number === 0) return false;
			for (const { predicate } of graph.walk({ subject: number }))
				if (identifying.has(predicate)) return true;
			return false;
		},
	};
});

function statedSameness(graph: Graph): Sameness[] {
	return SAME_AS.flatMap((predicate) => [...graph.match({ predicate })]).flatMap(toSameness);
}

function toSameness(quad: GraphQuad): Sameness[] {
	const { subject, object } = quad;
	if (object.termType === "Literal" || idOf(subject) === idOf(object)) return [];
	return [{ between: [idOf(subject), idOf(object)], reason: "same as", statements: [quad] }];
}

/** A value that more subjects have identifies nothing. */
const MAX_SHARING = 20;

/** The other subjects with the same identifier, if a class that both have, or the lack of one, allows it. */
function shareIdentifier(graph: Graph, quad: GraphQuad): Sameness[] {
	const { subject, predicate, object } = quad;
	const others: GraphQuad[] = [];
	for (const other of graph.match({ predicate: predicate.value, object }))
		if (others.push(other) > MAX_SHARING) return [];
	const classes = classesOf(graph, subject);
	return others
		.filter((other) => idOf(other.subject) !== idOf(subject))
		.filter((other) => canOverlap(classes, classesOf(graph, other.subject)))
		.map((other) => ({
			between: [idOf(subject), idOf(other.subject)],
			reason: "equal identifier",
			statements: [quad, other],
		}));
}

function classesOf(graph: Graph, subject: Subject): Set<string> {
	return new Set([...graph.match({ subject, predicate: RDF_TYPE })].map(({ object }) => object.value));
}

function canOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	return a.size === 0 || b.size === 0 || !a.isDisjointFrom(b);
}

/** Enough for any real thing; data that makes everything the same would cost too much. */
const MAX_ALIASES = 100;

/** The other ids of a thing, by "same as" statements and equal identifiers, in any number of steps. Sorted. */
export function aliasesOf(graph: Graph, id: string): string[] {
	const found = new Set([id]);
	for (const known of found) {
		for (const { between } of samenessOf(graph, known))
			for (const other of between) if (found.size <= MAX_ALIASES) found.add(other);
	}
	found.delete(id);
	return [...found].sort(compareTexts);
}

/** Resources of the documents that seem to be one thing. Only a proposal: the data stays as it is. */
export interface ProposedMerge {
	/** Ids, at least two of which the documents describe. Sorted. */
	readonly ids: readonly string[];
	readonly samenesses: readonly Sameness[];
}

/** By the first id. */
export function proposeMerges(graph: Graph): ProposedMerge[] {
	const groups = groupSamenesses([...statedSameness(graph), ...equalIdentifiers(graph)]);
	return groups
		.map((samenesses) => ({
			ids: [...new Set(samenesses.flatMap(({ between }) => between))].sort(compareTexts),
			samenesses,
		}))
		.filter(({ ids }) => ids.filter((id) => isDescribed(graph, id)).length > 1)
		.sort((a, b) => compareTexts(a.ids[0] ?? "", b.ids[0] ?? ""));
}

function isDescribed(graph: Graph, id: string): boolean {
	return !graph.match({ subject: subjectOf(id) }).next().done;
}

/** Each pair once. */
function equalIdentifiers(graph: Graph): Sameness[] {
	return identifyingPredicates(graph)
		.flatMap((predicate) => [...graph.match({ predicate })])
		.filter(({ object }) => object.termType === "Literal" && object.value !== "")
		.flatMap((quad) => shareIdentifier(graph, quad))
		.filter(({ between: [first, second] }) => compareTexts(first, second) < 0);
}

function identifyingPredicates(graph: Graph): string[] {
	return graph
		.predicates()
		.map((number) => graph.termAt(number).value)
		.filter(isIdentifying);
}

/** Samenesses that hang together by their ids. */
function groupSamenesses(samenesses: readonly Sameness[]): Sameness[][] {
	const groupOf = new Map<string, Sameness[]>();
	for (const sameness of samenesses) {
		const [left = [], right = []] = sameness.between.map((id) => groupOf.get(id));
		const group = [...new Set([...left, ...right, sameness])];
		for (const id of group.flatMap(({ between }) => between)) groupOf.set(id, group);
	}
	return [...new Set(groupOf.values())];
}
