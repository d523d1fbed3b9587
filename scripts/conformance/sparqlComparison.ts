import type { Term } from "../../src/core/knowledge/rdf.ts";
import type { Table } from "./sparqlResultFiles.ts";

type Row = Table["rows"][number];

/** Describes the difference of two results; `undefined` if equal up to the order of rows and names of blank nodes. */
export function describeDifference(
	expected: boolean | Table,
	actual: boolean | Table,
	{ isLax }: { readonly isLax: boolean },
): string | undefined {
	if (typeof expected === "boolean" || typeof actual === "boolean")
		return expected === actual ? undefined : `expected ${toText(expected)}, got ${toText(actual)}`;
	const rows = rowsBy(expected.variables, actual);
	const missing = isLax ? distinct(expected.rows) : expected.rows;
	const found = isLax ? distinct(rows) : rows;
	const isSame = missing.length === found.length && canPair(missing, found, new Map());
	return isSame
		? undefined
		: `expected ${listUnpaired(expected.rows, rows)}, got ${listUnpaired(rows, expected.rows)}`;
}

/** The rows of one table that are missing in the other, ignoring names of blank nodes. */
function listUnpaired(rows: readonly Row[], others: readonly Row[]): string {
	const unpaired = rows.filter((row) => !others.some((other) => unify(row, other, new Map())));
	const which = unpaired.length > 0 ? unpaired.map(writeRow).join(", ") : "other blank nodes";
	return `${rows.length} rows with ${which}`;
}

function writeRow(row: Row): string {
	return `(${row.map((term) => (term ? `${term.value}${term.termType === "Literal" ? `^^${term.datatype}` : ""}` : "-")).join(" ")})`;
}

function rowsBy(variables: readonly string[], { variables: own, rows }: Table): Row[] {
	return rows.map((row) => variables.map((name) => row[own.indexOf(name)]));
}

function distinct(rows: readonly Row[]): Row[] {
	return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

/** Whether the rows can be paired: tries each match of the first expected row, depth-first. */
function canPair(
	[first, ...others]: readonly Row[],
	rows: readonly Row[],
	names: ReadonlyMap<string, string>,
): boolean {
	if (!first) return true;
	return rows.some((row, index) => {
		const more = unify(first, row, names);
		return more !== undefined && canPair(others, rows.toSpliced(index, 1), more);
	});
}

/** Extends the names of blank nodes so that the rows are equal; `undefined` if they cannot be equal. */
function unify(
	expected: Row,
	actual: Row,
	names: ReadonlyMap<string, string>,
): Map<string, string> | undefined {
	const more = new Map(names);
	const areEqual = expected.every((term, index) => {
		const other = actual[index];
		if (term?.termType !== "BlankNode" || other?.termType !== "BlankNode") return isSameTerm(term, other);
		const name = more.get(term.value);
		if (name !== undefined) return name === other.value;
		if ([...more.values()].includes(other.value)) return false;
		more.set(term.value, other.value);
		return true;
	});
	return areEqual ? more : undefined;
}

const XSD = "http://www.w3.org/2001/XMLSchema#";

/** Compares numbers and booleans by value, and all integer types as integers, as the engine stores them. */
function isSameTerm(a: Term | undefined, b: Term | undefined): boolean {
	return toText(byValue(a)) === toText(byValue(b));
}

function byValue(term: Term | undefined): unknown {
	if (term?.termType !== "Literal" || !term.datatype.startsWith(XSD)) return term;
	const type = term.datatype.slice(XSD.length);
	if (/integer$/i.test(type)) return { type: "integer", value: Number(term.value) };
	if (type === "boolean") return { type, value: ["true", "1"].includes(term.value) };
	return ["decimal", "double", "float"].includes(type) ? { type, value: Number(term.value) } : term;
}

function toText(value: unknown): string {
	return JSON.stringify(value) ?? "nothing";
}
