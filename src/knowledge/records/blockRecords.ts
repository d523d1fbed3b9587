import { measureOf } from "../../base/quantities/measure.ts";
import { SCHEMA, XSD } from "../../base/rdf/vocabulary.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { literal, type NamedNode, namedNode } from "../../core/knowledge/rdf.ts";
import type { Block, BlockRow } from "../passages/passages.ts";
import { type Line, READABLE, shorten, span, squeeze } from "../passages/source.ts";
import { headerOf, type Row } from "../passages/tableRows.ts";
import { literalOf } from "../resources/literals.ts";
import { itemsOf } from "./listItems.ts";
import { keyIri, kindIri, MAX_LABEL } from "./records.ts";
import { columnKeys, createTableRecords, type HeadingPlace, type RecordTarget } from "./tableRecords.ts";

/** Maximum average length, in characters, of list items that name resources. */
const MAX_ITEM = 120;
const LINK = /^\s*(?:\[[^[\]]*\]\([^()]*\)|<?https?:\/\/\S+)\s*$/;

export function addBlocks(blocks: readonly Block[], place: HeadingPlace, to: RecordTarget): void {
	const items = blocks.map(({ kind, rows, lines }) => {
		return kind === "list" || kind === "lines" ? (rows ?? itemsOf(lines)) : [];
	});
	for (const [index, block] of blocks.entries()) {
		if (block.kind === "table") addTable(block, place, to);
		addList(items[index] ?? [], place, to);
	}
	const paragraphs = blocks.map(({ kind, lines, rows }, index) => {
		const isText = kind === "prose" || (kind === "lines" && !rows && items[index]?.length === 0);
		return isText ? lines : [];
	});
	for (const key of keysIn(paragraphs)) stateKey(place.thing(), key, to);
}

interface LocatedPair {
	readonly key: string;
	readonly value: string;
	readonly lines: LineRange;
}

function stateKey(subject: NamedNode, pair: LocatedPair, { records, plain }: RecordTarget): void {
	const { key, value, lines } = pair;
	const [name, told] = [squeeze(plain(key)).replace(/[\s:：]+$/, ""), squeeze(plain(value))];
	if (name !== "" && told !== "") records.state(subject, keyIri(name), literalOf(told), lines);
}

/** Adds rows, or keys from the first column. Ignores a table with neither, which only arranges text. */
function addTable({ rows = [], caption }: Block, place: HeadingPlace, to: RecordTarget): void {
	const told = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
	const pairs = told.flatMap((row) => pairOf(row) ?? []);
	if (pairs.length === told.length) {
		for (const pair of pairs) stateKey(place.thing(), pair, to);
		return;
	}
	const rowOf = ({ cells }: BlockRow): Row =>
		new Map(cells.map((cell, column) => [column, squeeze(to.plain(cell))]));
	const body = bodyOf(told.map((row) => ({ ...row, row: rowOf(row) })));
	if (!body) return;
	const kind = kindIri(squeeze(caption ?? "") || place.heading);
	const form = { kind, properties: columnKeys(body.header), whole: place.thing() };
	const addRows = createTableRecords(to.records, form);
	addRows(body.rows.map(({ row, lines }) => ({ row, lines, subject: to.lineIris(lines.start) })));
}

function pairOf({ cells, headers, lines }: BlockRow): LocatedPair | undefined {
	const [key = "", value = ""] = cells;
	const isKey = headers === 1 || /^\p{L}.{0,60}[:：]$/u.test(key.trim());
	return isKey && cells.length === 2 ? { key, value, lines } : undefined;
}

/** The marked or recognized header, and the rows below it. */
function bodyOf(rows: readonly (BlockRow & { readonly row: Row })[]) {
	const first = rows.findIndex(({ headers = 0 }) => headers > 1);
	const marked = rows[first] ?? rows.find(({ headers, cells }) => headers === 1 && cells.length === 1);
	const found = marked ? undefined : headerOf(rows.slice(0, 200).map(({ row }, index) => [index + 1, row]));
	const at = marked ? rows.indexOf(marked) : (found?.number ?? 0) - 1;
	const header = rows[at]?.row;
	const body = rows.slice(at + 1).filter(({ cells, headers = 0 }) => headers < Math.max(2, cells.length));
	return header && body.length > 0 ? { header, rows: body } : undefined;
}

/** Adds keys to the resource around the list, and other items as resources. */
function addList(items: readonly BlockRow[], place: HeadingPlace, to: RecordTarget): void {
	const parents = parentsOf(items);
	const keys = keysOf(items, parents);
	const isOfItems = areItems(items);
	const kind = kindIri(place.heading);
	const things: NamedNode[] = [];
	for (const [index, item] of items.entries()) {
		const key = keys[index];
		if (!key && !isOfItems) continue;
		const whole = things[parents[index] ?? -1] ?? place.thing();
		things[index] = key ? whole : addItem(item, whole, kind, to);
		if (key) stateKey(whole, { ...key, lines: item.lines }, to);
	}
}

/** Keys of items: emphasized keys, and keys in lists that contain only keys. */
function keysOf(items: readonly BlockRow[], parents: readonly number[]): (KeyLine | undefined)[] {
	const keys = items.map(({ cells, isDone }) => (isDone === undefined ? keyOf(cells) : undefined));
	const hasOthers = new Set(parents.filter((_, index) => !keys[index]));
	return keys.map((key, index) => (key?.isBold || !hasOthers.has(parents[index] ?? -1) ? key : undefined));
}

function keyOf([text = "", definition]: readonly string[]): KeyLine | undefined {
	return definition === undefined ? keyLineOf(text) : { key: text, value: definition, isBold: true };
}

/** Index of each item's parent; -1 for outermost items. */
function parentsOf(items: readonly BlockRow[]): number[] {
	const open: number[] = [];
	return items.map(({ depth = 0 }, index) => {
		open.length = Math.min(open.length, depth);
		const parent = open.at(-1) ?? -1;
		open.push(index);
		return parent;
	});
}

/** Whether items name resources. Long texts name nothing, and links are read elsewhere. */
function areItems(items: readonly BlockRow[]): boolean {
	const length = items.reduce((sum, { cells }) => sum + (cells[0]?.length ?? 0), 0);
	if (items.some(({ isDone }) => isDone !== undefined)) return true;
	return length <= items.length * MAX_ITEM && !items.every(({ cells }) => LINK.test(cells[0] ?? ""));
}

function addItem(item: BlockRow, whole: NamedNode, kind: string, to: RecordTarget): NamedNode {
	const { cells, lines, isDone } = item;
	const { records } = to;
	const name = shorten(squeeze(to.plain(cells.join(" "))), MAX_LABEL);
	const subject = namedNode(to.lineIris(lines.start));
	if (!READABLE.test(name) || !records.add({ subject, kind, label: name, lines })) return whole;
	records.state(subject, `${SCHEMA}name`, literal(name), lines);
	if (isDone !== undefined)
		records.state(subject, keyIri("done"), literal(String(isDone), `${XSD}boolean`), lines);
	records.state(subject, `${SCHEMA}isPartOf`, whole, lines);
	return subject;
}

/** A line such as `Severity: 2`. */
interface KeyLine {
	readonly key: string;
	readonly value: string;
	/** Emphasized keys count in any context. */
	readonly isBold: boolean;
}

const MAX_WORDS = 5;
/** Maximum length of a value in characters. Without an emphasized key, a longer value is a sentence. */
const MAX_PLAIN = 200;
const MAX_BOLD = 500;
/** Maximum number of lines whose keys may recur. More lines are a conversation or a log. */
const FEW_LINES = 5;

const BOLD = /^(\*\*|__)([^*_:：]{1,60})(?:[:：]\s*\1|\1\s*[:：])\s*(\S[\s\S]*)$/u;
const PLAIN = /^([^:：\n]{1,60}?)\s?(?::\s+|：\s*)(\S.*)$/u;
const KEY = /^\p{L}[^.!?;,"“”„«»|<>{}=[\]*`\\]*$/u;

const SENTENCE = /[.!?…]["”»)]?$/;

function keyLineOf(text: string): KeyLine | undefined {
	const line = text.trim();
	if (!/[:：]/.test(line.slice(0, 70))) return undefined;
	const [field] = fieldsIn(line);
	if (field && line.startsWith(field.key)) return field;
	const bold = BOLD.exec(line);
	const [key = "", value = ""] = bold ? bold.slice(2) : (PLAIN.exec(line)?.slice(1) ?? []);
	const isKey = KEY.test(key.trim()) && key.trim().split(/\s+/).length <= MAX_WORDS;
	if (!isKey || (!bold && value.length > MAX_PLAIN)) return undefined;
	return { key: squeeze(key), value: shorten(squeeze(value), MAX_BOLD), isBold: bold !== null };
}

type LocatedKey = KeyLine & LocatedPair;

/** Keys that are emphasized or adjacent to another key. Values of emphasized keys end at the next key. */
function keysIn(paragraphs: readonly (readonly Line[])[]): LocatedKey[] {
	const found = paragraphs.flatMap((lines, paragraph) => {
		const keys = readKeys(lines);
		return keys.map((key) => ({ ...key, paragraph, isWhole: keys.length === lines.length }));
	});
	const told = found.filter(({ isBold, lines, value, paragraph, isWhole }, index) => {
		const isNear = [found[index - 1], found[index + 1]].some((other) =>
			other?.paragraph === paragraph
				? Math.min(Math.abs(other.lines.start - lines.end), Math.abs(lines.start - other.lines.end)) <= 1
				: isWhole && other?.isWhole && Math.abs(other.paragraph - paragraph) === 1 && !SENTENCE.test(value),
		);
		return isBold || isNear;
	});
	const isVaried = new Set(told.map(({ key }) => key)).size > told.length / 2;
	return told.length <= FEW_LINES || isVaried ? told : [];
}

/** Fields of Dataview, in brackets or up to the end of the line: `(born:: 1873)`. */
const FIELD = /(?<key>\p{L}[\p{L}\p{N}_-]*)::\s+(?<value>[^()[\]\n]*[^()[\]\s])/gu;

function fieldsIn(text: string): KeyLine[] {
	// Fast check, because this function runs for nearly every line.
	if (!text.includes("::")) return [];
	return Array.from(text.matchAll(FIELD), ({ groups: { key = "", value = "" } = {} }) => {
		return { key, value: shorten(squeeze(value), MAX_BOLD), isBold: true };
	});
}

/** Separator of short facts on one line: `Serves 4 · 45 minutes`. */
const BETWEEN = /\s+[·•]\s+/u;

const COUNTED = /^(?<key>\p{L}+) (?<value>\d+)$/u;

/** Facts on one line. A time span without a key is a duration. */
function factsIn(text: string): KeyLine[] {
	const fields = fieldsIn(text);
	if (fields.length > 0) return fields;
	const parts = text.trim().split(BETWEEN);
	if (parts.length < 2) return [];
	return parts.flatMap((part): KeyLine[] => {
		const { key, value } = COUNTED.exec(part)?.groups ?? {};
		if (key && value) return [{ key, value, isBold: true }];
		const isDuration = measureOf(part)?.dimension === "time";
		const told = isDuration ? { key: "duration", value: part, isBold: true } : keyLineOf(part);
		return told ? [told] : [];
	});
}

function readKeys(lines: readonly Line[]): LocatedKey[] {
	const keys: LocatedKey[] = [];
	let last: Line | undefined;
	for (const line of lines) {
		const facts = factsIn(line.text);
		if (facts.length > 0) {
			keys.push(...facts.map((fact) => ({ ...fact, lines: line.lines })));
			continue;
		}
		const key = keyLineOf(line.text);
		const before = keys.at(-1);
		if (key) keys.push({ ...key, lines: line.lines });
		else if (before?.isBold && last && before.lines.end === last.lines.end)
			keys[keys.length - 1] = {
				...before,
				value: shorten(`${before.value} ${squeeze(line.text)}`, MAX_BOLD),
				lines: span(before.lines, line.lines),
			};
		last = line;
	}
	return keys;
}
