import { isNaming, namingRank } from "../../base/rdf/naming.ts";
import { lastSegment, RDF, RDF_TYPE, readableName } from "../../base/rdf/vocabulary.ts";
import { type LineRange, placesAmong } from "../../core/knowledge/citation.ts";
import type { Resource } from "../../core/knowledge/document.ts";
import { idOf, isSubject, type Quad, type Term } from "../../core/knowledge/rdf.ts";
import { only, shorten, squeeze, toTitle, toWords } from "../passages/source.ts";

const LABEL_LENGTH = 120;
/** Maximum number of list cells to follow to find a list item's owner. */
const MAX_LIST_STEPS = 50;

export interface Node {
	readonly id: string;
	readonly quads: readonly Quad[];
	readonly referrers: readonly Quad[];
	readonly naming?: Quad | undefined;
}

const MAX_ITEMS = 1000;

const CELL_PROPERTIES = new Set([`${RDF}first`, `${RDF}rest`, RDF_TYPE]);

/** All subjects except list cells, in order of first statement. `ranges` has known line ranges by resource. */
export function resourcesOf(quads: readonly Quad[], ranges?: ReadonlyMap<string, LineRange>): Resource[] {
	const nodes = nodesOf(quads);
	const things = [...nodes.values()].filter(({ id, quads: own }) => !isListCell(id, own));
	return things.map((node) => {
		const lines = ranges?.get(node.id) ?? placeOf(node.quads);
		return { id: node.id, types: typesOf(node), label: labelOf(node, nodes), lines };
	});
}

export function nodesOf(quads: readonly Quad[]): Map<string, Node> {
	const about = Map.groupBy(quads, ({ subject }) => idOf(subject));
	const pointing = Map.groupBy(quads, ({ object }) => (isSubject(object) ? idOf(object) : undefined));
	const nodes = new Map<string, Node>();
	for (const [id, own] of about)
		nodes.set(id, { id, quads: own, referrers: pointing.get(id) ?? [], naming: namingOf(own) });
	return nodes;
}

/** The best literal that names the subject, preferably in English. */
function namingOf(quads: readonly Quad[]): Quad | undefined {
	const ranked = quads.flatMap((quad) => {
		const { predicate, object } = quad;
		const isName = object.termType === "Literal" && isNaming(predicate.value) && squeeze(object.value) !== "";
		return isName ? [{ quad, rank: namingRank(predicate.value, object.language) }] : [];
	});
	return ranked.sort((a, b) => a.rank - b.rank)[0]?.quad;
}

function typesOf({ quads }: Node): string[] {
	const types = quads.flatMap(({ predicate, object }) => (predicate.value === RDF_TYPE ? [object] : []));
	return [...new Set(types.filter(isSubject).map(idOf))];
}

function labelOf(node: Node, nodes: ReadonlyMap<string, Node>): string {
	if (node.naming) return shorten(squeeze(node.naming.object.value), LABEL_LENGTH);
	return node.id.startsWith("_:") ? roleOf(node, nodes) : readableName(node.id);
}

/** The only statement that makes a blank node part of another resource, possibly through a list. */
export function ownerOf({ id, referrers }: Node, nodes: ReadonlyMap<string, Node>): Quad | undefined {
	if (!id.startsWith("_:") || referrers.length !== 1) return undefined;
	let [quad] = referrers;
	for (let steps = 0; quad && steps < MAX_LIST_STEPS; steps++) {
		const subject = nodes.get(idOf(quad.subject));
		if (!subject || !isListCell(subject.id, subject.quads)) return quad;
		quad = subject.referrers.length === 1 ? subject.referrers[0] : undefined;
	}
	return undefined;
}

/** Names a blank node by its role: `Oncora Study (author)`. */
function roleOf(node: Node, nodes: ReadonlyMap<string, Node>): string {
	const owner = ownerOf(node, nodes);
	const parent = owner && nodes.get(idOf(owner.subject));
	const role = owner && toWords(lastSegment(owner.predicate.value));
	if (parent && (!parent.id.startsWith("_:") || parent.naming)) return `${labelOf(parent, nodes)} (${role})`;
	return toTitle(lastSegment(typesOf(node)[0] ?? role ?? "thing"));
}

/** Line range of a resource. Uses the densest range if the statements are scattered. */
function placeOf(quads: readonly Quad[]): LineRange {
	const ranges = quads.map(({ lines }) => lines).sort((a, b) => a.start - b.start);
	const [densest] = placesAmong(ranges).sort((a, b) => b.count - a.count);
	return densest?.lines ?? only(1);
}

export function isListCell(id: string, quads: readonly Quad[]): boolean {
	return (
		id.startsWith("_:") &&
		quads.length <= CELL_PROPERTIES.size &&
		quads.some(({ predicate }) => predicate.value === `${RDF}rest`) &&
		quads.every(({ predicate }) => CELL_PROPERTIES.has(predicate.value))
	);
}

/** Items of an RDF list. */
export function itemsOf(head: Term, nodes: ReadonlyMap<string, Node>): Term[] {
	const items: Term[] = [];
	let cell: Term | undefined = head;
	while (cell && isSubject(cell) && items.length < MAX_ITEMS) {
		const quads: readonly Quad[] = nodes.get(idOf(cell))?.quads ?? [];
		const item = quads.find(({ predicate }) => predicate.value === `${RDF}first`)?.object;
		if (item) items.push(item);
		cell = item && quads.find(({ predicate }) => predicate.value === `${RDF}rest`)?.object;
	}
	return items;
}
