import { localNameOf, OWL, RDF_TYPE, SCHEMAS, SKOS } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { wordList } from "../../base/words/wordList.ts";
import { idOf, isSubject, type Subject, subjectOf, type Term } from "../../core/knowledge/rdf.ts";
import { type Graph, type GraphQuad, perVersion } from "./graph.ts";

const SAME_AS = [`${OWL}sameAs`, ...SCHEMAS.map((namespace) => `${namespace}sameAs`), `${SKOS}exactMatch`];

/** Local names of properties that identify a resource within its class, in any vocabulary. */
const IDENTIFYING = new Set(
	wordList("identifier isbn issn doi orcid gtin gtin8 gtin12 gtin13 gtin14 leicode taxid vatid"),
);

export function isIdentifying(predicate: string): boolean {
	return IDENTIFYING.has(localNameOf(predicate).toLowerCase());
}

/** Ids that equal an id in one step, by “same as” in either direction or by an equal identifier. */
function equalsOf(graph: Graph, id: string): string[] {
	const subject = subjectOf(id);
	const { stating, isIdentified } = predicatesOf(graph);
	const stated = stating.flatMap((predicate): Term[] => [
		...graph.match({ subject, predicate }).map(({ object }) => object),
		...graph.match({ object: subject, predicate }).map((quad) => quad.subject),
	]);
	const identifiers = isIdentified(subject) ? [...graph.match({ subject })].filter(isIdentifier) : [];
	const sharing = identifiers.flatMap((quad) => sharingOf(graph, quad)).map((quad) => quad.subject);
	return [...stated, ...sharing].filter(isSubject).map(idOf);
}

function isIdentifier({ predicate, object }: GraphQuad): boolean {
	return isIdentifying(predicate.value) && object.termType === "Literal" && object.value !== "";
}

/** Cached per version, because every search asks for the aliases of all hits. */
const predicatesOf = perVersion((graph) => {
	const isUsed = (predicate: number) => isIdentifying(graph.termAt(predicate).value);
	const identifying = new Set(graph.predicates().filter(isUsed));
	return {
		stating: SAME_AS.filter((predicate) => graph.count({ predicate }) > 0),
		isIdentified: (subject: Subject) => {
			const number = identifying.size > 0 ? graph.numberOf(subject) : 0;
			if (number === 0) return false;
			return graph.walk({ subject: number }).some(({ predicate }) => identifying.has(predicate));
		},
	};
});

/** Maximum number of subjects with one value. A more common value identifies none of these subjects. */
const MAX_SHARING = 20;

/** Statements of other subjects with the same identifier, unless the subjects have only different classes. */
function sharingOf(graph: Graph, { subject, predicate, object }: GraphQuad): GraphQuad[] {
	const others: GraphQuad[] = [];
	for (const other of graph.match({ predicate: predicate.value, object }))
		if (others.push(other) > MAX_SHARING) return [];
	const classes = classesOf(graph, subject);
	const isOther = (one: Subject) => idOf(one) !== idOf(subject) && canOverlap(classes, classesOf(graph, one));
	return others.filter((other) => isOther(other.subject));
}

function classesOf(graph: Graph, subject: Subject): Set<string> {
	return new Set([...graph.match({ subject, predicate: RDF_TYPE })].map(({ object }) => object.value));
}

function canOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	return a.size === 0 || b.size === 0 || !a.isDisjointFrom(b);
}

/** Limits the cost of data that equates everything. Real resources have fewer aliases. */
const MAX_ALIASES = 100;

/** The other ids of a resource by “same as” statements and equal identifiers, in any number of steps. Sorted. */
export function aliasesOf(graph: Graph, id: string): string[] {
	const found = new Set([id]);
	for (const known of found)
		for (const other of equalsOf(graph, known)) if (found.size <= MAX_ALIASES) found.add(other);
	found.delete(id);
	return [...found].sort(compareTexts);
}

export function sharedIdentifiers(graph: Graph): (readonly [GraphQuad, GraphQuad])[] {
	return graph
		.predicates()
		.map((number) => graph.termAt(number).value)
		.filter(isIdentifying)
		.flatMap((predicate) => [...graph.match({ predicate })])
		.filter(isIdentifier)
		.flatMap((quad) => sharingOf(graph, quad).map((other) => [quad, other] as const))
		.filter(([one, other]) => compareTexts(idOf(one.subject), idOf(other.subject)) < 0);
}
