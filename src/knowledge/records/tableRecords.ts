import { SCHEMA } from "../../base/rdf/vocabulary.ts";
import type { Literal, NamedNode } from "../../core/knowledge/rdf.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Row } from "../passages/tableRows.ts";
import { squeeze } from "../passages/words.ts";
import { namedNode } from "../resources/terms.ts";
import { literalOf } from "./literals.ts";
import { type Naming, namingOf } from "./naming.ts";
import type { Records } from "./records.ts";

export interface TableRow {
	readonly row: Row;
	readonly lines: LineRange;
	readonly subject: string;
}

export interface TableForm {
	/** The IRI of the rows' class. */
	readonly kind: string;
	/** The IRIs of the columns. */
	readonly properties: ReadonlyMap<number, string>;
	/** What the table is in. */
	readonly whole?: NamedNode | undefined;
}

const READABLE = /[\p{L}\p{N}]/u;

interface Cell {
	readonly subject: NamedNode;
	readonly property: string;
	readonly lines: LineRange;
}

/** Equal values that are kept once. */
const MOST_SHARED = 20_000;

/** States the rows of a table. The naming column is chosen from the first rows that come. */
export function createTableRecords(records: Records, { kind, properties, whole }: TableForm) {
	const literals = new Map<string, Literal>();
	let naming: Naming | undefined;
	return {
		add: (rows: readonly TableRow[]): void => {
			naming ??= namingOf(
				properties,
				rows.map(({ row }) => row),
			);
			for (const row of rows) addRow(row);
		},
	};

	function addRow({ row, lines, subject: iri }: TableRow): void {
		if (!READABLE.test([...row.values()].join(" "))) return;
		const subject = namedNode(iri);
		const name = nameOf(row, naming);
		if (!records.add({ subject, kind, label: name, lines })) return;
		if (!hasName(row, naming)) records.state(subject, `${SCHEMA}name`, shared(name), lines);
		for (const [column, property] of properties) stateCell({ subject, property, lines }, row.get(column));
		if (whole) records.state(subject, `${SCHEMA}isPartOf`, whole, lines);
	}

	function stateCell({ subject, property, lines }: Cell, text = ""): void {
		const value = text.trim();
		if (value !== "") records.state(subject, property, shared(value), lines);
	}

	function shared(text: string): Literal {
		const known = literals.get(text);
		if (known) return known;
		const value = literalOf(text);
		if (literals.size < MOST_SHARED) literals.set(text, value);
		return value;
	}
}

/** The cell that names the row, else its first. */
function nameOf(row: Row, naming: Naming | undefined): string {
	const cells = [row.get(naming?.column ?? 0) ?? "", ...row.values()];
	return squeeze(cells.find((cell) => cell.trim() !== "") ?? "");
}

function hasName(row: Row, naming: Naming | undefined): boolean {
	return naming?.isStated === true && (row.get(naming.column) ?? "").trim() !== "";
}
