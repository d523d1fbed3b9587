const ENGLISH = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
const GERMAN = "montag dienstag mittwoch donnerstag freitag samstag sonntag".split(" ");
const FRENCH = "lundi mardi mercredi jeudi vendredi samedi dimanche".split(" ");
const NAMES = [ENGLISH, GERMAN, FRENCH];
const ALL = [...NAMES.flat(), "sonnabend"];
const DAY = `(?<![\\p{L}])(${ALL.join("|")})(?:s|en|e)?(?!\\p{L})`;
const SPAN = new RegExp(`${DAY}\\s*(?:to|through|until|bis|à|-|–)\\s*${DAY}`, "giu");
/** English short forms, which are words as well without a date behind them. */
const SHORT = /(?<!\p{L})(mon|tue|wed|thu|fri|sat|sun)\.?,?(?=\s*\d)/giu;

export interface WrittenDay {
	readonly written: string;
	readonly offset: number;
	/** From 0, Monday. */
	readonly day: number;
}

/** The names of weekdays in a sentence. */
export function weekdaysIn(text: string): WrittenDay[] {
	return [...text.matchAll(new RegExp(DAY, "giu"))].map(({ 0: written, 1: name, index: offset }) => ({
		written,
		offset,
		day: dayOf(name),
	}));
}

/** The weekdays that lines name, also as the ends of a span. */
export function toldWeekdays(text: string): ReadonlySet<number> {
	const spans = [...text.matchAll(SPAN)].flatMap(([, first, last]) => between(dayOf(first), dayOf(last)));
	const short = [...text.matchAll(SHORT)].map(([, name]) => dayOf(name));
	return new Set([...weekdaysIn(text).map(({ day }) => day), ...spans, ...short]);
}

function dayOf(name = ""): number {
	const plain = name.toLowerCase();
	const found = NAMES.map((names) => names.findIndex((day) => day.startsWith(plain))).find((day) => day >= 0);
	return found ?? 5;
}

function between(first: number, last: number): number[] {
	const days = (last - first + 7) % 7;
	return Array.from({ length: days + 1 }, (_, index) => (first + index) % 7);
}
