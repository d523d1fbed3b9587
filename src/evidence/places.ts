import { standsAmong, type WrittenDate } from "../base/quantities/dates.ts";
import { MONEY } from "../base/quantities/measure.ts";
import type { Quantity } from "../base/quantities/quantities.ts";
import type { WrittenDay } from "../base/quantities/weekdays.ts";
import { blankAt, cellsIn, type SourceText, tellingWords } from "./sourceText.ts";
import { isTold } from "./standing.ts";

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

interface Place extends Placed {
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
function clausesIn(text: string, alike: readonly Placed[], others: readonly Placed[] = []): string[] {
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

function placesIn(text: string, facts: readonly Placed[]): Place[] {
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

type Words = ReadonlySet<string>;

/** A place of a fact in the lines, and a rival: a fact of the same kind with more of the sentence's words near it. */
interface Defeat {
	readonly place: Place;
	readonly rival: Place;
	/** Whether the words suffice as evidence. If not, the sentence must also exchange the fact and the rival. */
	readonly isSure: boolean;
}

const known = new WeakMap<SourceText, readonly Place[]>();

/** Facts of the sentence that the lines state about something else, such as another row, item or clause. */
export function misplacedIn(facts: readonly Placed[], sentence: string, source: SourceText): string[] {
	const places = known.get(source) ?? placesIn(source.text, factsOf(source));
	known.set(source, places);
	const judged = facts.map((fact) => {
		const own = ownWords(sentence, fact, facts);
		const at = places.filter((place) => isSame(fact, place, source));
		const others = places.filter((place) => !at.includes(place) && place.kind !== "month");
		const lost = at.flatMap((place) => defeatOf(fact, own, place, others));
		return { fact, at, lost: lost.length === at.length ? lost : [] };
	});
	const all = judged.flatMap(({ lost }) => lost);
	const isExchanged = ({ place, rival }: Defeat) =>
		all.some((each) => each.rival === place && each.place === rival);
	// A rival that the sentence states correctly does not count.
	const isRefuted = ({ rival }: Defeat) =>
		judged.some(({ at, lost }) => lost.length === 0 && at.includes(rival));
	const wrong = judged.filter(({ fact, at, lost }) => {
		const isLost = lost.some(isExchanged) || (lost.length > 0 && lost.every(({ isSure }) => isSure));
		const behind = sentence.slice(fact.offset + fact.written.length);
		if (isLost && !lost.some(isRefuted)) return true;
		return MONEY.includes(fact.kind) && isOfOtherPeriod(behind, at, source);
	});
	return wrong.map(({ fact }) => fact.written);
}

const RATE = /^ (?:per|an?|each|every|pro|je|jede[nrs]?|im|in der) (\p{L}+)/iu;
const PERIODS = [/^(?:da[iy]|tag)/i, /^(?:week|woche)/i, /^mon[ta]/i, /^(?:year|annual|jahr)/i];

/** Whether the text after a number names a period, such as "per month", and the lines name only others. */
function isOfOtherPeriod(behind: string, places: readonly Place[], { stems }: SourceText): boolean {
	const periodsIn = (words: readonly string[]) =>
		PERIODS.filter((each) => words.some((word) => each.test(word)));
	const [said] = periodsIn([RATE.exec(behind)?.[1] ?? ""]);
	const near = periodsIn(places.flatMap(({ words }) => [...words]));
	const told = near.length > 0 ? near : periodsIn([...stems]);
	return said !== undefined && places.length > 0 && told.length > 0 && !told.includes(said);
}

function factsOf({ quantities, dates, weekdays }: SourceText): Placed[] {
	const isApart = ({ offset }: { readonly offset: number }) =>
		!dates.some((date) => offset >= date.offset && offset < date.offset + date.written.length);
	return [...quantities.filter(isApart), ...dates, ...weekdays].map(placedFact);
}

function isSame({ quantity, date, day }: Placed, place: Placed, source: SourceText): boolean {
	if (day !== undefined) return day === place.day;
	if (date) return place.date !== undefined && standsAmong(date, [place.date], source.years);
	const isYear = place.date?.readings.some(({ year }) => year === quantity?.values[0]) ?? false;
	return isYear || (quantity && place.quantity ? isTold(quantity, place.quantity, source, false) : false);
}

/** Words of the fact's clause without measurements. Years and counts may be names and remain. */
function ownWords(sentence: string, fact: Placed, facts: readonly Placed[]): Words {
	const alike = facts.filter(({ kind }) => kind === fact.kind);
	const others = facts.filter(({ kind }) => kind !== fact.kind);
	const measured = [...alike, ...others.filter(({ kind }) => !/^(?:count|year|weekday|month)$/.test(kind))];
	const rest = measured.reduce(blankAt, sentence);
	return tellingWords(clausesIn(rest, alike, others)[alike.indexOf(fact)] ?? "");
}

function defeatOf(fact: Placed, own: Words, place: Place, others: readonly Place[]): Defeat[] {
	const told = new Set([...own].filter((word) => others.some(({ words }) => words.has(word))));
	const ours = own.intersection(place.words);
	const rivals = others.filter((rival) => areRivals(place, rival) && ours.isSubsetOf(rival.words));
	const defeats = rivals.flatMap((rival) => {
		const isEntry = place.sentence === undefined && rival.sentence === undefined;
		const more = [...own.intersection(rival.words).difference(ours)].filter(
			(word) => /\p{L}{3}/u.test(word) || (/^\d/.test(word) && isEntry),
		);
		const mayDefeat = isEntry ? canDefeat(fact, place, rival) : isClear(fact, place, rival, told);
		const isSure = isEntry || (more.length > 1 && !countApart(fact, rival));
		return more.length > 0 && mayDefeat ? [{ place, rival, isSure }] : [];
	});
	return defeats.sort((a, b) => Number(b.isSure) - Number(a.isSure)).slice(0, 1);
}

function areRivals(place: Place, rival: Place): boolean {
	if (place.kind !== rival.kind) return false;
	if (place.isHeading !== rival.isHeading || place.isAside !== rival.isAside) return false;
	return place.column === rival.column || (place.column !== undefined && place.line === rival.line);
}

/** Whether a rival in a table or list counts. In a column with a head, which may have the unit, kinds may differ. */
function canDefeat(fact: Placed, place: Place, rival: Place): boolean {
	if (place.column === undefined) return place.kind === fact.kind && !countApart(fact, rival);
	return place.kind === fact.kind || (place.column === rival.column && place.hasHead === true);
}

/** Whether a rival in prose counts: the clause has all the words and is not only the topic sentence of the paragraph. */
function isClear(fact: Placed, place: Place, rival: Place, told: Words): boolean {
	const isTopic = place.line === rival.line && rival.sentence === 0 && place.sentence !== 0;
	return !isTopic && place.kind === fact.kind && told.isSubsetOf(rival.words);
}

function countApart({ kind, quantity }: Placed, rival: Placed): boolean {
	const things = quantity?.things ?? new Set();
	return kind === "count" && things.isDisjointFrom(rival.quantity?.things ?? new Set());
}
