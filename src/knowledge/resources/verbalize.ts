import { memoize } from "../../base/jobs/lazily.ts";
import { lastSegment, RDF, readableName } from "../../base/rdf/vocabulary.ts";
import { heightOf, type LineRange, MOST_LINES } from "../../core/knowledge/citation.ts";
import type { Passage, Resource } from "../../core/knowledge/document.ts";
import { idOf, isSubject, type Quad, type Term } from "../../core/knowledge/rdf.ts";
import { cutPassages, MAX_PASSAGE, sentencesOf } from "../passages/passages.ts";
import { type Line, only, span, splitLines, squeeze, toTitle, toWords } from "../passages/source.ts";
import { isListCell, itemsOf, type Node, nodesOf, ownerOf } from "./resources.ts";

/** Maximum length in characters of a blank node that is described within its referrer. */
const INLINE_LENGTH = 400;
const TITLE_TYPES = 3;
/** Maximum depth of nested descriptions, as for an address in an organization in a person. */
const INLINE_DEPTH = 2;

const LOCAL = /^(_|file):/;

interface Told {
	readonly property: string;
	readonly value: string;
	readonly lines: LineRange;
}

/** Maximum length in characters of one property's values in a row. Further values get another row. */
const ROW_LENGTH = 500;
const PART_LENGTH = 200;

/**
 * Describes resources by the statements of their document. `names` has labels of other IRIs; `source` is the
 * text in which to locate parts of long values.
 */
export function verbalize(
	resources: readonly Resource[],
	quads: readonly Quad[],
	{ names, source }: { readonly names?: ReadonlyMap<string, string>; readonly source?: string } = {},
): Passage[] {
	const nodes = nodesOf(quads);
	const labels = new Map(names);
	for (const { id, label } of resources) labels.set(id, label);
	const propertyName = memoize((iri: string) => toWords(lastSegment(iri)));
	const surroundings = { nodes, labels, propertyName };
	const find = source === undefined ? undefined : createFindInLines(source);
	return resources.flatMap((resource) => {
		const node = nodes.get(resource.id);
		return node ? cutTold(resource, toldOf(node, surroundings), find) : [];
	});
}

interface Surroundings {
	readonly nodes: ReadonlyMap<string, Node>;
	readonly labels: ReadonlyMap<string, string>;
	readonly propertyName: (iri: string) => string;
}

function titleOf({ types, label }: Resource): string {
	const names = types.slice(0, TITLE_TYPES).map((type) => toTitle(lastSegment(type)));
	const classes = names.join(", ");
	return classes === label ? label : `${classes} ${label}`.trim();
}

/** Distinct statements in document order, grouped by property. */
function toldOf(node: Node, surroundings: Surroundings): Told[] {
	const { nodes, labels, propertyName } = surroundings;
	const told = tellingQuads(node).map(({ predicate, object, lines }) => {
		return { property: propertyName(predicate.value), value: wordsOf(object, surroundings), lines };
	});
	const owner = ownerOf(node, nodes);
	const part = owner && { property: `${propertyName(owner.predicate.value)} of`, lines: owner.lines };
	if (part) told.push({ ...part, value: labelOf(owner.subject, labels) });
	const byProperty = Map.groupBy(told, ({ property }) => property).values();
	const byValue = byProperty.flatMap((same) => Map.groupBy(same, ({ value }) => value).values());
	return [...byValue].flatMap(([first]) => first ?? []);
}

/** Statements that the title does not contain: all except the name and the types. */
function tellingQuads(node: Node): Quad[] {
	return node.quads.filter((quad) => quad !== node.naming && quad.predicate.value !== `${RDF}type`);
}

function wordsOf(term: Term, surroundings: Surroundings, depth = INLINE_DEPTH): string {
	const node = isSubject(term) ? surroundings.nodes.get(idOf(term)) : undefined;
	if (!node || depth === 0) return labelOf(term, surroundings.labels);
	if (isListCell(node.id, node.quads)) {
		const words = itemsOf(term, surroundings.nodes).map((item) => wordsOf(item, surroundings, depth - 1));
		return words.join(", ");
	}
	return inlineOf(node, surroundings, depth) ?? labelOf(term, surroundings.labels);
}

function labelOf(term: Term, labels: ReadonlyMap<string, string>): string {
	return isSubject(term) ? (labels.get(idOf(term)) ?? readableName(idOf(term))) : squeeze(term.value);
}

/** Describes a blank node within its only referrer; `undefined` if too long. */
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

/** Returns one passage if all text is short and close together. `find` locates parts of long values. */
function cutTold(resource: Resource, told: readonly Told[], find?: FindInLines): Passage[] {
	const { lines, id } = resource;
	const title = titleOf(resource);
	const ids = LOCAL.test(id) ? [] : [`id: ${id}`];
	const statements = rowsOf(told, Number.POSITIVE_INFINITY);
	const text = [title, ...statements.map((line) => line.text), ...ids].join("\n");
	const own = told.map((one) => one.lines).reduce(span, told[0]?.lines ?? only(lines.start));
	const place = [lines, own].find((range) => heightOf(range) <= MOST_LINES);
	if (text.length <= MAX_PASSAGE && place) {
		const rows = [place, ...statements.map((line) => line.lines), ...ids.map(() => place)];
		const layout = rows.flatMap(({ start, end }) => [start, end]);
		const sections = [{ form: "record" as const, length: text.length, lines: place, layout }];
		return [{ title, text, lines: place, sections, resource: id }];
	}
	const groups = groupsOf(told.flatMap((one) => partsOf(one, find)));
	const passages = groups.flatMap((group, index) => {
		const rows = rowsOf(group, ROW_LENGTH);
		const lines = index === 0 ? withHeading(rows, title, ids) : rows;
		return cutPassages(title, [{ kind: "record", lines }]);
	});
	return passages.map((passage) => ({ ...passage, resource: id }));
}

/** Groups values that are close enough for one citation. */
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

/** Builds one line per property, up to a length: `works for: Analytical Society; Royal Society`. */
function rowsOf(told: readonly Told[], most: number): Line[] {
	const rows: { text: string; lines: LineRange; readonly property: string }[] = [];
	for (const { property, value, lines } of told) {
		const row = rows.at(-1);
		if (row?.property === property && row.text.length + value.length <= most) {
			row.text += `; ${value}`;
			row.lines = span(row.lines, lines);
		} else rows.push({ text: property === "" ? value : `${property}: ${value}`, lines, property });
	}
	return rows;
}

function withHeading(rows: readonly Line[], title: string, ids: readonly string[]): readonly Line[] {
	const [first, last] = [rows[0], rows.at(-1)];
	if (!first || !last) return rows;
	return [{ text: title, lines: first.lines }, ...rows, ...ids.map((text) => ({ text, lines: last.lines }))];
}

/** Splits a long value. Only the first part contains the property's name. */
function partsOf(told: Told, find: FindInLines | undefined): Told[] {
	const { property, value, lines } = told;
	if (heightOf(lines) <= MOST_LINES) return [told];
	const place = find?.(lines);
	return sentencesOf(value, PART_LENGTH).map((part, index) => {
		// A resource described inline may span many lines. Its first lines name the resource.
		const { start, end } = place?.(part) ?? lines;
		const narrow = { start, end: Math.min(end, start + MOST_LINES - 1) };
		return { property: index === 0 ? property : "", value: part, lines: narrow };
	});
}

/** Maximum number of words to skip in the search for the next word. */
const LOOK_AHEAD = 2000;
/** Maximum number of word comparisons per document, which take a few tenths of a second. */
const MOST_STEPS = 20_000_000;

/** Locates parts of a text within a range. Parts must be requested in order. */
type FindInLines = (range: LineRange) => (part: string) => LineRange;

interface Word {
	readonly word: string;
	readonly line: number;
}

/** Finds the fewest lines after the previous part that contain the part's words in order; otherwise, the range. */
function createFindInLines(source: string): FindInLines {
	let all: readonly Line[] | undefined;
	let steps = 0;
	return (range) => {
		all ??= splitLines(source);
		const lines = steps > MOST_STEPS ? [] : all.slice(range.start - 1, range.end);
		const wordsIn = ({ text, lines: { start: line } }: Line) =>
			tokensOf(text).map((word) => ({ word, line }));
		const words: readonly Word[] = lines.flatMap(wordsIn);
		steps += words.length;
		let cursor = 0;
		return (part) => {
			const wanted = tokensOf(part);
			const last = lastOf(wanted, words, cursor);
			if (last === undefined) return range;
			const before = words.slice(cursor, last + 1).reverse();
			const first = last - (lastOf(wanted.toReversed(), before, 0) ?? 0);
			cursor = last + 1;
			return { start: words[first]?.line ?? range.start, end: words[last]?.line ?? range.end };
		};
	};

	/** Index of the last matching word. Skips words that the source spells differently. */
	function lastOf(wanted: readonly string[], words: readonly Word[], from: number): number | undefined {
		let last: number | undefined;
		for (const word of wanted) last = nextOf(word, words, last === undefined ? from : last + 1) ?? last;
		return last;
	}

	function nextOf(word: string, words: readonly Word[], from: number): number | undefined {
		const end = Math.min(words.length, steps > MOST_STEPS ? from : from + LOOK_AHEAD);
		let at = from;
		while (at < end && words[at]?.word !== word) at++;
		steps += at - from;
		return at < end ? at : undefined;
	}
}

function tokensOf(text: string): readonly string[] {
	return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
