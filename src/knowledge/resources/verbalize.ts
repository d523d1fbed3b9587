import { RDF } from "../../base/vocabulary.ts";
import type { Passage, Resource } from "../../core/knowledge/document.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import { memoize } from "../passages/memoize.ts";
import { cutPassages, MAX_PASSAGE } from "../passages/passages.ts";
import { lastSegment, readableName, squeeze, toTitle, toWords } from "../passages/words.ts";
import { isListCell, itemsOf } from "./rdfLists.ts";
import { type Node, nodesOf, ownerOf } from "./resources.ts";
import { idOf, isSubject } from "./terms.ts";

/** A nameless node that is longer than this, in characters, is not told inside the one that points to it. */
const INLINE_LENGTH = 400;

/** Classes that a title tells. */
const TITLE_TYPES = 3;

/** An address inside an organization inside a person is told with the person. */
const INLINE_DEPTH = 2;

/** Ids that say nothing outside of this computer: blank nodes and places of files. */
const LOCAL = /^(_|file):/;

/** The words of every resource, from its own document alone. `names`: what that calls IRIs that are no resources of it. */
export function verbalize(
	resources: readonly Resource[],
	quads: readonly Quad[],
	names: ReadonlyMap<string, string> = new Map(),
): Passage[] {
	const nodes = nodesOf(quads);
	const labels = new Map([...names, ...resources.map(({ id, label }) => [id, label] as const)]);
	const propertyName = memoize((iri: string) => toWords(lastSegment(iri)));
	const surroundings = { nodes, labels, propertyName };
	return resources.flatMap((resource) => {
		const node = nodes.get(resource.id);
		return node ? passagesOf(resource, statementsOf(node, surroundings)) : [];
	});
}

interface Surroundings {
	readonly nodes: ReadonlyMap<string, Node>;
	readonly labels: ReadonlyMap<string, string>;
	readonly propertyName: (iri: string) => string;
}

function passagesOf(resource: Resource, statements: readonly string[]): Passage[] {
	const title = titleOf(resource);
	const lines = [title, ...statements, ...(LOCAL.test(resource.id) ? [] : [`id: ${resource.id}`])];
	const { lines: range, id } = resource;
	const text = lines.join("\n");
	if (text.length <= MAX_PASSAGE) return [{ title, text, lines: range, resource: id }];
	const block = { kind: "lines" as const, lines: lines.map((line) => ({ text: line, lines: range })) };
	return cutPassages(title, [block]).map((passage) => ({ ...passage, resource: id }));
}

function titleOf({ types, label }: Resource): string {
	const classes = types
		.slice(0, TITLE_TYPES)
		.map((type) => toTitle(lastSegment(type)))
		.join(", ");
	return classes === label ? label : `${classes} ${label}`.trim();
}

/** One line per property, `works for: Analytical Society; Royal Society`, in the order of the document. */
function statementsOf(node: Node, surroundings: Surroundings): string[] {
	const values = new Map<string, Set<string>>();
	const tell = (property: string, value: string) =>
		values.set(property, (values.get(property) ?? new Set()).add(value));
	for (const { predicate, object } of tellingQuads(node)) {
		tell(surroundings.propertyName(predicate.value), wordsOf(object, surroundings));
	}
	const owner = ownerOf(node, surroundings.nodes);
	if (owner) {
		tell(
			`${surroundings.propertyName(owner.predicate.value)} of`,
			labelOf(owner.subject, surroundings.labels),
		);
	}
	return [...values].map(([property, told]) => `${property}: ${[...told].join("; ")}`);
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
