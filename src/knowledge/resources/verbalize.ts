import { lastSegment, readableName } from "../../base/rdf/iriNames.ts";
import { RDF } from "../../base/rdf/vocabulary.ts";
import type { Passage, Resource } from "../../core/knowledge/document.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { memoize } from "../passages/memoize.ts";
import { squeeze, toTitle, toWords } from "../passages/words.ts";
import { createFindInLines } from "./findInLines.ts";
import { isListCell, itemsOf } from "./rdfLists.ts";
import { type Node, nodesOf, ownerOf } from "./resources.ts";
import { idOf, isSubject } from "./terms.ts";
import { cutTold, type Told } from "./told.ts";

/** A nameless node that is longer than this, in characters, is not told inside the one that points to it. */
const INLINE_LENGTH = 400;

/** Classes that a title tells. */
const TITLE_TYPES = 3;

/** An address inside an organization inside a person is told with the person. */
const INLINE_DEPTH = 2;

/** Ids that say nothing outside of this computer: blank nodes and places of files. */
const LOCAL = /^(_|file):/;

/** What a document is called and says besides its statements. */
interface Verbalized {
	/** What it calls IRIs that are no resources of it. */
	readonly names?: ReadonlyMap<string, string>;
	/** Its text, in which the parts of long values are looked for. */
	readonly source?: string;
}

/** The words of every resource, from its own document alone. */
export function verbalize(
	resources: readonly Resource[],
	quads: readonly Quad[],
	{ names = new Map(), source }: Verbalized = {},
): Passage[] {
	const nodes = nodesOf(quads);
	const labels = new Map([...names, ...resources.map(({ id, label }) => [id, label] as const)]);
	const propertyName = memoize((iri: string) => toWords(lastSegment(iri)));
	const surroundings = { nodes, labels, propertyName };
	const find = source === undefined ? undefined : createFindInLines(source);
	return resources.flatMap((resource) => {
		const node = nodes.get(resource.id);
		if (!node) return [];
		const id = LOCAL.test(resource.id) ? [] : [`id: ${resource.id}`];
		return cutTold(resource, toldOf(node, surroundings), { title: titleOf(resource), id }, find);
	});
}

interface Surroundings {
	readonly nodes: ReadonlyMap<string, Node>;
	readonly labels: ReadonlyMap<string, string>;
	readonly propertyName: (iri: string) => string;
}

function titleOf({ types, label }: Resource): string {
	const classes = types
		.slice(0, TITLE_TYPES)
		.map((type) => toTitle(lastSegment(type)))
		.join(", ");
	return classes === label ? label : `${classes} ${label}`.trim();
}

/** Each value once, in the order of the document, the values of a property together. */
function toldOf(node: Node, surroundings: Surroundings): Told[] {
	const told = new Map<string, Map<string, LineRange>>();
	const tell = ({ predicate, lines }: Quad, name: string, value: string) => {
		const property = `${surroundings.propertyName(predicate.value)}${name}`;
		const values = told.get(property) ?? new Map<string, LineRange>();
		told.set(property, values);
		if (!values.has(value)) values.set(value, lines);
	};
	for (const quad of tellingQuads(node)) tell(quad, "", wordsOf(quad.object, surroundings));
	const owner = ownerOf(node, surroundings.nodes);
	if (owner) tell(owner, " of", labelOf(owner.subject, surroundings.labels));
	return [...told].flatMap(([property, values]) =>
		Array.from(values, ([value, lines]) => ({ property, value, lines })),
	);
}

/** What is not in the title already. */
function tellingQuads(node: Node): Quad[] {
	return node.quads.filter((quad) => quad !== node.naming && quad.predicate.value !== `${RDF}type`);
}

function wordsOf(term: Term, surroundings: Surroundings, depth = INLINE_DEPTH): string {
	const node = isSubject(term) ? surroundings.nodes.get(idOf(term)) : undefined;
	if (!node || depth === 0) return labelOf(term, surroundings.labels);
	if (isListCell(node.id, node.quads)) {
		const items = itemsOf(term, (id) => surroundings.nodes.get(id)?.quads ?? []);
		return items.map((item) => wordsOf(item, surroundings, depth - 1)).join(", ");
	}
	return inlineOf(node, surroundings, depth) ?? labelOf(term, surroundings.labels);
}

function labelOf(term: Term, labels: ReadonlyMap<string, string>): string {
	return isSubject(term) ? (labels.get(idOf(term)) ?? readableName(idOf(term))) : squeeze(term.value);
}

/** What a nameless node says, for the one node that points to it; nothing where that is long. */
function inlineOf(node: Node, surroundings: Surroundings, depth: number): string | undefined {
	if (!node.id.startsWith("_:") || node.referrers.length !== 1) return undefined;
	const told = tellingQuads(node)
		.map(({ predicate, object }) => {
			const name = surroundings.propertyName(predicate.value);
			return `${name} ${wordsOf(object, surroundings, depth - 1)}`;
		})
		.join(", ");
	if (told.length > INLINE_LENGTH) return undefined;
	const name = squeeze(node.naming?.object.value ?? "");
	return [name, name && told ? `(${told})` : told].filter(Boolean).join(" ") || undefined;
}
