import { datesIn } from "./dates.ts";
import { quantitiesIn } from "./quantities.ts";
import { type Unit, unitOf } from "./units.ts";

/** A value in base units, comparable to other values of the dimension. */
export interface Measure {
	/** The dimension of a `Unit`, `date` or `clock`; empty for a number without a unit. */
	readonly dimension: string;
	/** In base units of the dimension; for dates, days since 1970; for times of day, minutes since midnight. */
	readonly value: number;
}

export const MONEY = ["euros", "dollars", "pounds", "crowns", "francs"];

/** Maximum length of a value in characters; longer values are text. */
const LONGEST = 60;

const DAY_MS = 86_400_000;

/** Minimum letters of a unit if it is the whole name of a column. */
const FEWEST_LETTERS = 4;

/** Short units that are unlikely to be names of anything else. */
const SURE = /^(?:[ckm]m|kg|ml|kwh?|eur|usd|gbp|chf)$/iu;

/** Fast path for large data. Excludes `1.200`, which may mean 1200. */
const PLAIN = /^\d{1,15}(?:\.(?!\d{3}$)\d{1,9})?$/;

/** Measure of a short value. `name` may contain the unit: `Weight g`. `undefined` for a text or several values. */
export function measureOf(text: string, name = ""): Measure | undefined {
	if (text.length > LONGEST || !/\d/.test(text)) return undefined;
	if (PLAIN.test(text)) return measureIn(Number(text), unitIn(name));
	return dateIn(text) ?? quantityIn(text, unitIn(name));
}

function dateIn(text: string): Measure | undefined {
	const [date, ...others] = datesIn(text.replace(TIME, ""));
	const [reading, second] = date?.readings ?? [];
	if (!date || !reading || others.length > 0) return undefined;
	const rest = text.replace(TIME, "").replace(date.written, "");
	const { year, month, day, minutes } = reading;
	if (/\d/.test(rest)) return undefined;
	if (minutes !== undefined) return { dimension: "clock", value: minutes };
	// 3/4 may be in April or in March, but 3.4. is always in April.
	const isAmbiguous = second !== undefined && second.month !== month && !date.written.includes(".");
	if (isAmbiguous || year === undefined || month === undefined) return undefined;
	return { dimension: "date", value: Date.UTC(year, month - 1, day ?? 1) / DAY_MS };
}

/** Time of day after an ISO date. */
const TIME = /(?<=\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/;

function quantityIn(text: string, named: Unit | undefined): Measure | undefined {
	const [first, ...more] = quantitiesIn(text)
		.filter(({ written }) => /\d/.test(written))
		.map(({ values: [value = 0], unit = named }) => measureIn(value, unit));
	// “2 h 10 min” is one value, but “4 to 8 days” is two.
	const isOne = more.every(({ dimension }) => first?.dimension === "time" && dimension === "time");
	// “No more than 5” and “up to 8” are limits, not amounts.
	if (!first || !isOne || /^(?:no|not|up to|bis)\b/i.test(text.trim())) return undefined;
	const value = more.reduce((sum, each) => sum + each.value, first.value);
	return { dimension: first.dimension, value: /^\s*[-−]\s?\d/.test(text) ? -value : value };
}

function measureIn(value: number, { dimension = "", factor = 1, offset = 0 }: Partial<Unit> = {}): Measure {
	return { dimension, value: value * factor + offset };
}

/** Unit at the end of a name: `Price EUR`, `lead_time_days`, `Temp (°C)`. */
function unitIn(name: string): Unit | undefined {
	const words = name.split(/[\s_()[\]]+/).filter(Boolean);
	const last = words.at(-1) ?? "";
	// “m” alone may name anything, but “minutes” is a unit.
	if (words.length === 1 && last.length < FEWEST_LETTERS && !SURE.test(last)) return undefined;
	return unitOf(words.slice(-2).join("_")) ?? unitOf(last);
}
