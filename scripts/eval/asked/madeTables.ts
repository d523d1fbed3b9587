import { createRandom } from "../measures.ts";

/** Phrases to ask for a column, with `{v}` for a value. */
export type Column = { readonly name: string } & (
	| {
			readonly kind: "text";
			readonly is: readonly string[];
			readonly not: string;
			readonly values: readonly string[];
	  }
	| {
			readonly kind: "flag";
			readonly is: readonly string[];
			readonly not: string;
			readonly values: readonly string[];
	  }
	| {
			readonly kind: "amount" | "date";
			readonly more: readonly string[];
			readonly less: readonly string[];
			readonly least: string;
			readonly most: string;
			readonly fewest: string;
			/** The comparatives for smaller and for larger values. */
			readonly than: readonly [string, string];
			readonly from: number;
			readonly to: number;
			/** Writes a value as in the file. */
			readonly write: (value: number) => string;
			readonly say?: (value: number) => string;
	  }
);

/** A link from a column to the rows of another table. */
interface TableLink {
	readonly column: string;
	readonly table: string;
	/** A text column of the other table. */
	readonly other: string;
	readonly ask: readonly string[];
}

export interface TableForm {
	readonly folder: "Markdown tables" | "JSON lists";
	readonly title: string;
	readonly one: string;
	readonly many: string;
	readonly language: "en" | "de";
	readonly key: string;
	readonly names: readonly string[];
	readonly columns: readonly Column[];
	readonly link?: TableLink;
}

/** Values by column: numbers for amounts and days, and texts. */
export type MadeRow = ReadonlyMap<string, string | number>;

export interface MadeTable extends TableForm {
	readonly rows: readonly MadeRow[];
}

export function makeTables(forms: readonly TableForm[]): MadeTable[] {
	const random = createRandom(11);
	const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
	return forms.map((form) => {
		const target = forms.find(({ title }) => title === form.link?.table);
		const rows = form.names.map((name) => {
			const cells = form.columns.map(
				(column) =>
					[column.name, "values" in column ? (pick(column.values) ?? "") : numberIn(column, random)] as const,
			);
			const linked = form.link && target ? [[form.link.column, pick(target.names) ?? ""] as const] : [];
			return new Map<string, string | number>([[form.key, name], ...cells, ...linked]);
		});
		return { ...form, rows };
	});
}

function numberIn(
	{ from, to }: { readonly from: number; readonly to: number },
	random: () => number,
): number {
	return Math.round(from + random() * (to - from));
}

/** The table as a file. */
export function fileOf(table: MadeTable): { readonly path: string; readonly text: string } {
	const { title, folder, rows } = table;
	if (folder === "JSON lists")
		return {
			path: `${title}.json`,
			text: JSON.stringify(
				rows.map((row) => objectOf(row, table)),
				null,
				"\t",
			),
		};
	const columns = [...(rows[0]?.keys() ?? [])];
	const lines = [columns, columns.map(() => "---"), ...rows.map((row) => cellsOf(row, table))];
	const text = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
	return { path: `${title}.md`, text: `# ${title}\n\n${text}\n` };
}

function cellsOf(row: MadeRow, { columns }: TableForm): string[] {
	return Array.from(row, ([name, value]) => {
		const column = columns.find((each) => each.name === name);
		return column && "write" in column ? column.write(Number(value)) : String(value);
	});
}

/** A row as a JSON object, with numbers, dates and booleans. */
function objectOf(row: MadeRow, table: TableForm): Record<string, string | number | boolean> {
	const cells = cellsOf(row, table);
	return Object.fromEntries(
		Array.from(row.keys(), (name, index) => {
			return [name, valueIn(cells[index] ?? "")];
		}),
	);
}

function valueIn(text: string): string | number | boolean {
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
	return text === "true" || text === "false" ? text === "true" : text;
}

const DAY_MS = 86_400_000;

/** The number of a day since 1970. */
export function dayOf(text: string): number {
	return Date.parse(text) / DAY_MS;
}

export function isoOf(day: number): string {
	return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function germanDateOf(day: number): string {
	return isoOf(day).split("-").reverse().join(".");
}
