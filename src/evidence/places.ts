import type { WrittenDate } from "../base/quantities/dates.ts";
import type { Quantity } from "../base/quantities/quantities.ts";
import type { WrittenDay } from "../base/quantities/weekdays.ts";
import { cellsIn, tellingWords } from "./sourceText.ts";

/** A figure, a date or a weekday in a text. Only facts of the same `kind` are compared. */
export interface Placed {
	readonly written: string;
	readonly offset: number;
	readonly kind: string;
	readonly quantity?: Quantity;
	readonly date?: WrittenDate;
	/** Weekday, from 0 for Monday. */
	readonly day?: number;
}

export interface Place extends Placed {
	/** Words near the fact: in the clause or the row, in the head of the column, and in the heading. */
	readonly words: ReadonlySet<string>;
	readonly line: number;
	readonly sentence?: number;
	readonly column?: number;
	readonly hasHead?: boolean;
	readonly isHeading?: boolean;
	/** Whether the fact is in parentheses. */
	readonly isAside?: boolean;
}

export function placedFact(fact: Quantity | WrittenDate | WrittenDay): Placed {
	const { written, offset } = fact;
	if ("day" in fact) return { ...fact, kind: "weekday" };
	if ("readings" in fact) return { written, offset, kind: kindOfDate(fact), date: fact };
	const kind = fact.unit?.dimension ?? (/^[12]\d{3}$/.test(written) ? "year" : "count");
	return { written, offset, kind, quantity: fact };
}

function kindOfDate({ readings }: WrittenDate): string {
	if (readings.some(({ minutes }) => minutes !== undefined)) return "clock";
	return readings.some(({ day }) => day !== undefined) ? "date" : "month";
}

const SEPARATOR =
	/[,;:](?=\s)|[()]|\s[-–—]\s|(?<!\p{L})(?:and|or|but|while|und|oder|aber|sowie|während)(?!\p{L})/giu;

/** The clause of each fact in `alike`. Divides text between these facts, and at conjunctions between any facts. */
export function clausesIn(text: string, alike: readonly Placed[], others: readonly Placed[] = []): string[] {
	const cuts = [...text.matchAll(SEPARATOR)];
	const facts = [...alike, ...others].sort((a, b) => a.offset - b.offset);
	const starts = facts.flatMap((fact, at) => {
		const before = facts[at - 1];
		if (!before) return [0];
		const isAny = alike.includes(fact) && alike.includes(before);
		const between = cuts.filter(({ index }) => index > before.offset && index < fact.offset);
		return between.find(([cut]) => isAny || /\p{L}/u.test(cut))?.index ?? [];
	});
	return alike.map(({ offset }) => {
		const own = starts.findLast((start) => start <= offset);
		const next = starts.find((start) => start > offset);
		return text.slice(own, next);
	});
}

const HEADING = /^\s*#{1,6}\s/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)]|\\item)\s/;
/** Lines of at least this length are prose, even without a full stop. */
const SHORT = 80;
const SENTENCE = /(?<=[.!?]["”“)]?)(?<!\s\p{L}{1,2}\.)\s+(?=[\p{Lu}"„“(])/gu;

export function placesIn(text: string, facts: readonly Placed[]): Place[] {
	const lines = text.split("\n");
	let [start, heading] = [0, ""];
	let table: Table | undefined;
	return lines.flatMap((line, at): Place[] => {
		const own = within(facts, start, line);
		start += line.length + 1;
		const cells = cellsIn(line);
		table = cells.length > 1 ? tableWith(cells, table) : undefined;
		if (table) return placesInRow(table, line, heading, own).map((place) => ({ ...place, line: at }));
		const section = HEADING.test(line) ? linesBelow(lines, at) : "";
		if (HEADING.test(line)) heading = line;
		if (section === "") return placesInLine(line, heading, own).map((place) => ({ ...place, line: at }));
		const words = tellingWords(`${line}\n${section}`);
		return own.map((fact) => ({ ...fact, line: at, words, isHeading: true }));
	});
}

function linesBelow(lines: readonly string[], heading: number): string {
	const below = lines.slice(heading + 1);
	const end = below.findIndex((line) => HEADING.test(line));
	return below
		.slice(0, end < 0 ? undefined : end)
		.join("\n")
		.trim();
}

function within(facts: readonly Placed[], start: number, { length }: string): Placed[] {
	return facts
		.filter(({ offset }) => offset >= start && offset < start + length)
		.map((fact) => ({ ...fact, offset: fact.offset - start }));
}

interface Table {
	readonly head: readonly string[] | undefined;
	/** The first cell of the row; if empty, of a row above. */
	readonly subject: string;
}

function tableWith(cells: readonly string[], above: Table | undefined): Table {
	const first = cells.find((cell, at) => at > 0 || cell.trim() !== "")?.trim() ?? "";
	const head = cells.some((cell) => /^\W*\d/.test(cell)) ? undefined : cells;
	return { head: above ? above.head : head, subject: first || (above?.subject ?? "") };
}

function placesInRow({ head, subject }: Table, line: string, heading: string, facts: readonly Placed[]) {
	return facts.map((fact) => {
		const before = line.slice(0, fact.offset).split(line.includes("|") ? "|" : /[;,\t](?! )/);
		const column = before.length - 1;
		const words = tellingWords(`${heading} ${subject} ${line} ${head?.[column] ?? ""}`);
		return { ...fact, column, words, hasHead: head !== undefined };
	});
}

function placesInLine(line: string, heading: string, facts: readonly Placed[]) {
	const isEntry = ITEM.test(line) || (line.length < SHORT && !/[.!?](?:["”)]?\s*$|\s+\p{Lu})/u.test(line));
	const bounds = [0, ...[...line.matchAll(SENTENCE)].map(({ index }) => index), line.length];
	return bounds.slice(1).flatMap((end, sentence) => {
		const start = bounds[sentence] ?? 0;
		const text = line.slice(start, end);
		const inside = within(facts, start, text);
		return inside.map((fact) => {
			const alike = inside.filter(({ kind }) => kind === fact.kind);
			const clause = clausesIn(text, alike)[alike.indexOf(fact)];
			return {
				...fact,
				words: tellingWords(`${heading} ${clause}`),
				isAside: /\([^)]*$/.test(text.slice(0, fact.offset)),
				...(!isEntry && { sentence }),
			};
		});
	});
}
