import { datesIn } from "../../base/quantities/dates.ts";
import { isNaming } from "../../base/rdf/naming.ts";
import { lastSegment, localNameOf } from "../../base/rdf/vocabulary.ts";

import { isDate } from "../resources/literals.ts";

/** Maximum number of rows to check. */
const JUDGED = 1000;
const MAX_NAME = 60;
/** Maximum share of names longer than `MAX_NAME`. Such names may be twice as long. */
const LONG = 0.1;
/** Minimum share of distinct values in a naming column. */
const DIFFERENT = 0.9;
const LONGEST_PLURAL = 3;

export interface Naming<Column = number> {
	readonly column: Column;
	/** Whether the column's property already names the row. */
	readonly isStated: boolean;
	/** Prefix for a row's number: “Plot” in “Plot 3”. A number without a prefix would be ambiguous. */
	readonly before?: string;
}

/**
 * Chooses the column that names rows: a naming property; otherwise the first column, if its values are names, or if
 * its values are numbers and the rows are called like the column (`Plot` for the kind `plots`); otherwise the first
 * column with distinct texts in all rows.
 */
export function namingOf<Column>(
	properties: ReadonlyMap<Column, string>,
	rows: readonly ReadonlyMap<Column, string>[],
	kind = "",
): Naming<Column> | undefined {
	const columns = [...properties.keys()];
	const stated = columns.find((column) => isNaming(properties.get(column) ?? ""));
	if (stated !== undefined) return { column: stated, isStated: true };
	const [first] = columns;
	if (first === undefined) return undefined;
	const valuesIn = (column: Column) => rows.slice(0, JUDGED).map((row) => row.get(column)?.trim() ?? "");
	const values = valuesIn(first);
	if (canName(values, DIFFERENT)) return { column: first, isStated: false };
	const property = properties.get(first) ?? "";
	const areDistinct = !values.includes("") && new Set(values).size === values.length;
	if (areDistinct && isCalledAs(property, kind))
		return { column: first, isStated: false, before: lastSegment(property) };
	const other = columns.find((column) => canName(valuesIn(column), 1));
	return { column: other ?? first, isStated: false };
}

/** Whether the kind is the plural of the property, as in `Fahrt` and `Fahrten`. */
function isCalledAs(property: string, kind: string): boolean {
	const [one, many] = [localNameOf(property).toLowerCase(), localNameOf(kind).toLowerCase()];
	return one !== "" && many.startsWith(one) && many.length <= one.length + LONGEST_PLURAL;
}

function canName(values: readonly string[], share: number): boolean {
	const told = values.filter((value) => value !== "");
	const amounts = told.filter(isAmount).length;
	const long = told.filter(({ length }) => length > MAX_NAME);
	const isShort = long.length <= told.length * LONG && long.every(({ length }) => length <= 2 * MAX_NAME);
	if (told.length === 0 || !isShort || amounts > told.length / 10) return false;
	return new Set(told).size >= values.length * share;
}

function isAmount(value: string): boolean {
	const isNumber = /^[-+$€£¥(]*\d[\d.,:\s]*[%€$£¥)]*$/.test(value);
	return isNumber || (value.length <= 30 && dateIn(value) !== undefined);
}

/** The first date with a four-digit year in a heading or file name, as `2025-07-08`. */
export function dateIn(text: string): string | undefined {
	if (!/\d{4}/.test(text)) return undefined;
	const [iso] = /(?<!\d)\d{4}-\d\d-\d\d(?!\d)/.exec(text) ?? [];
	if (iso !== undefined) return isDate(iso) ? iso : undefined;
	const written = datesIn(text).filter((date) => /\d{4}/.test(date.written) && date.readings.length === 1);
	const dates = written.map(({ readings: [{ year, month, day } = {}] }) =>
		[year, month, day].map((part) => String(part ?? "").padStart(2, "0")).join("-"),
	);
	return dates.find(isDate);
}
