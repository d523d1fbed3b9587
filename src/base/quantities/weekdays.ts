const ENGLISH = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
const GERMAN = "montag dienstag mittwoch donnerstag freitag samstag sonntag".split(" ");
const FRENCH = "lundi mardi mercredi jeudi vendredi samedi dimanche".split(" ");
const NAMES = [ENGLISH, GERMAN, FRENCH];
const ALL = [...NAMES.flat(), "sonnabend"];
const DAY = `(?<![\\p{L}])(${ALL.join("|")})(?:s|en|e)?(?!\\p{L})`;
const SPAN = new RegExp(`${DAY}\\s*(?:to|through|until|bis|à|-|–)\\s*${DAY}`, "giu");
/** Abbreviations of weekdays, only before a date, because some are also other words. */
const SHORT = /(?<!\p{L})(mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)\.?,?(?=\s*\d)/giu;

export type WrittenDay = ReturnType<typeof weekdaysIn>[number];

const WEEKDAY = new RegExp(DAY, "giu");

/** Weekdays in a text; `day` is 0 for Monday. */
export function weekdaysIn(text: string, pattern: RegExp = WEEKDAY) {
	const found = [...text.matchAll(pattern)];
	return found.map(({ 0: written, 1: name, index: offset }) => ({ written, offset, day: dayOf(name) }));
}

/** Weekdays in a text, including abbreviations. The days within a span have offset -1. */
export function toldWeekdays(text: string): WrittenDay[] {
	const spans = [...text.matchAll(SPAN)].flatMap(([written, first, last]) =>
		between(dayOf(first), dayOf(last)).map((day) => ({ written, offset: -1, day })),
	);
	return [...weekdaysIn(text), ...weekdaysIn(text, SHORT), ...spans];
}

function dayOf(name = ""): number {
	const plain = name.toLowerCase();
	const found = NAMES.map((names) => names.findIndex((day) => day.startsWith(plain))).find((day) => day >= 0);
	return found ?? 5;
}

function between(first: number, last: number): number[] {
	const days = (last - first + 7) % 7 || 1;
	return Array.from({ length: days - 1 }, (_, index) => (first + index + 1) % 7);
}
