import { isNaming } from "../resources/resources.ts";
import { dateIn } from "./dates.ts";

/** Cells of a row, or values of an object, by their columns. */
type Cells = ReadonlyMap<number, string>;

/** Rows that are looked at. */
const JUDGED = 1000;
const MAX_NAME = 60;
/** How many of the values of a naming column differ, at least. */
const DIFFERENT = 0.9;

/** How the rows of a table are named. */
export interface Naming {
	readonly column: number;
	/** Whether its property names the row already. */
	readonly isStated: boolean;
}

/** The column that names the rows: one that says so, else the first if it can, else the first text that differs in all rows. */
export function namingOf(
	properties: ReadonlyMap<number, string>,
	rows: readonly Cells[],
): Naming | undefined {
	const columns = [...properties.keys()].sort((a, b) => a - b);
	const stated = columns.find((column) => isNaming(properties.get(column) ?? ""));
	if (stated !== undefined) return { column: stated, isStated: true };
	const judged = rows.slice(0, JUDGED);
	const [first] = columns;
	if (first === undefined) return undefined;
	if (canName(valuesIn(first, judged), DIFFERENT)) return { column: first, isStated: false };
	const other = columns.find((column) => canName(valuesIn(column, judged), 1));
	return { column: other ?? first, isStated: false };
}

function valuesIn(column: number, rows: readonly Cells[]): string[] {
	return rows.map((row) => row.get(column)?.trim() ?? "");
}

function canName(values: readonly string[], share: number): boolean {
	const told = values.filter((value) => value !== "");
	const amounts = told.filter(isAmount).length;
	const isShort = told.every(({ length }) => length <= MAX_NAME);
	if (told.length === 0 || !isShort || amounts > told.length / 10) return false;
	return new Set(told).size >= values.length * share;
}

/** A number, a sum, a share, a time or a date. */
function isAmount(value: string): boolean {
	return (
		/^[-+$€£¥(]*\d[\d.,:\s]*[%€$£¥)]*$/.test(value) || (value.length <= 30 && dateIn(value) !== undefined)
	);
}
