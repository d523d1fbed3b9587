import { lastSegment, readableName } from "../../base/rdf/iriNames.ts";
import { RDF } from "../../base/rdf/vocabulary.ts";
import type { Passage, Resource } from "../../core/knowledge/document.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import { heightOf, type LineRange, MOST_LINES } from "../../core/knowledge/source.ts";
import { type Line, only, span } from "../passages/lines.ts";
import { memoize } from "../passages/memoize.ts";
import { cutPassages, MAX_PASSAGE, sentencesOf } from "../passages/passages.ts";
import { squeeze, toTitle, toWords } from "../passages/words.ts";
import { createFindInLines, type FindInLines } from "./findInLines.ts";
import { isListCell, itemsOf, type Node, nodesOf, ownerOf } from "./resources.ts";
import { idOf, isSubject } from "./terms.ts";

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

/** A value that is told of a resource, and where the document states it. */
interface Told {
	readonly property: string;
	readonly value: string;
	readonly lines: LineRange;
}

/** Characters that the values of one property take in a row; what follows has its name again. */
const ROW_LENGTH = 500;

/** Characters of a part of a value that takes many lines. */
const PART_LENGTH = 200;

/** `id` is the line that tells a resource's IRI, where it has one. */
interface Heading {
	readonly title: string;
	readonly id: readonly string[];
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

/**
 * The passages of one resource: one where all of it is short and stands together, else several, each with the lines of
 * what it tells. `find` looks for the words of long values in the document.
 */
function cutTold(resource: Resource, told: readonly Told[], heading: Heading, find?: FindInLines): Passage[] {
	const { lines, id: resourceId } = resource;
	const { title, id } = heading;
	const statements = statementsOf(told);
	const text = [title, ...statements.map((line) => line.text), ...id].join("\n");
	const own = told.length === 0 ? only(lines.start) : spanOf(told);
	const place = [lines, own].find((range) => heightOf(range) <= MOST_LINES);
	if (text.length <= MAX_PASSAGE && place) {
		const rows = [place, ...statements.map((line) => line.lines), ...id.map(() => place)];
		const layout = rows.flatMap(({ start, end }) => [start, end]);
		const sections = [{ form: "record" as const, length: text.length, lines: place, layout }];
		return [{ title, text, lines: place, sections, resource: resourceId }];
	}
	const groups = groupsOf(told.flatMap((one) => partsOf(one, find)));
	return groups
		.flatMap((group, index) =>
			cutPassages(title, [{ kind: "record", lines: rowsOf(group, index === 0 ? heading : undefined) }]),
		)
		.map((passage) => ({ ...passage, resource: resourceId }));
}

/** One line per property, `works for: Analytical Society; Royal Society`, in the order of the document. */
function statementsOf(told: readonly Told[]): Line[] {
	const values = Map.groupBy(told, ({ property }) => property);
	return [...values].map(([property, all]) => ({
		text: `${property}: ${all.map(({ value }) => value).join("; ")}`,
		lines: spanOf(all),
	}));
}

/** What stands close enough together for one citation. */
function groupsOf(told: readonly Told[]): Told[][] {
	const groups: Told[][] = [];
	let range: LineRange | undefined;
	for (const one of told.toSorted((a, b) => a.lines.start - b.lines.start)) {
		range = range && span(range, one.lines);
		if (!range || heightOf(range) > MOST_LINES) {
			groups.push([]);
			range = one.lines;
		}
		groups.at(-1)?.push(one);
	}
	return groups;
}

function rowsOf(told: readonly Told[], heading: Heading | undefined): Line[] {
	const rows: { text: string; lines: LineRange; readonly property: string }[] = [];
	for (const { property, value, lines } of told) {
		const row = rows.at(-1);
		if (row?.property === property && row.text.length + value.length <= ROW_LENGTH) {
			row.text += `; ${value}`;
			row.lines = span(row.lines, lines);
		} else rows.push({ text: property === "" ? value : `${property}: ${value}`, lines, property });
	}
	const [first, last] = [rows[0], rows.at(-1)];
	if (!heading || !first || !last) return rows;
	return [
		{ text: heading.title, lines: first.lines },
		...rows,
		...heading.id.map((text) => ({ text, lines: last.lines })),
	];
}

/** A long value in parts with lines of their own: only the first of them has the property's name. */
function partsOf(told: Told, find: FindInLines | undefined): Told[] {
	const { property, value, lines } = told;
	if (heightOf(lines) <= MOST_LINES) return [told];
	const place = find?.(lines);
	return sentencesOf(value, PART_LENGTH).map((part, index) => ({
		property: index === 0 ? property : "",
		value: part,
		lines: narrow(place?.(part) ?? lines),
	}));
}

/** A thing that is described where it is linked takes many lines: it begins with those that name it. */
function narrow({ start, end }: LineRange): LineRange {
	return { start, end: Math.min(end, start + MOST_LINES - 1) };
}

function spanOf(told: readonly Told[]): LineRange {
	return told.map(({ lines }) => lines).reduce(span);
}
