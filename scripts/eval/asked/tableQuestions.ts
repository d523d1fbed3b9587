import { createRandom, shuffled } from "../measures.ts";
import type { AskedQuestion, Kind } from "./askedQuestion.ts";
import type { Column, MadeRow, MadeTable } from "./madeTables.ts";

type Ordered = Extract<Column, { readonly more: readonly string[] }>;
type Told = Exclude<Column, Ordered>;

interface Words {
	readonly which: string;
	readonly count: string;
	readonly all: readonly string[];
	readonly most: readonly string[];
	readonly compare: readonly string[];
	readonly or: string;
	readonly and: string;
	readonly unknown: readonly string[];
}

const WORDS: Readonly<Record<MadeTable["language"], Words>> = {
	en: {
		which: "Which {many} {that}?",
		count: "How many {many} {that}?",
		all: ["How many {many} are there?", "List all {many}"],
		most: ["What is the {most} {one}?", "Which {one} is the {most}?"],
		compare: ["Which is {than}, {a} or {b}?", "Is {a} {than} than {b}?"],
		or: "or",
		and: "and",
		unknown: [
			"Which {many} were stolen?",
			"How many {many} does Zora Quint have?",
			"Which {many} are in Peru?",
		],
	},
	de: {
		which: "Welche {many} {that}?",
		count: "Wie viele {many} {that}?",
		all: ["Wie viele {many} gibt es?", "Nenne alle {many}"],
		most: ["{one} hat {most}?", "{one} hat {most}?"],
		compare: [],
		or: "oder",
		and: "und",
		unknown: ["Welche {many} sind gestohlen?", "Wie viele {many} gehören Zora Quint?"],
	},
};

/** The questions about one table, with answers from its rows. */
export function askTable(table: MadeTable, tables: readonly MadeTable[]): AskedQuestion[] {
	const random = createRandom(table.title.length);
	const ask = createAsk(table);
	const draw = (column: string) =>
		shuffled([...new Set(table.rows.map((row) => row.get(column) ?? ""))], random);
	const { all, unknown, and } = WORDS[table.language];
	const told = table.columns.filter((column): column is Told => "is" in column);
	const ordered = table.columns.filter((column): column is Ordered => "more" in column);
	const [first] = told;
	const both = first
		? ordered.map((column) => {
				const [value = "", middle] = [draw(first.name)[0], middleOf(column, table)];
				const that = `${withValue(first.is[0], value)} ${and} ${withValue(column.more[0], sayOf(column, middle))}`;
				const has = (row: MadeRow) => row.get(first.name) === value && Number(row.get(column.name)) > middle;
				return ask("both", "which", that, has);
			})
		: [];
	return [
		...all.map((text) => ask("count", text, "", () => true)),
		...told.flatMap((column) => askTold(column, draw(column.name), ask, WORDS[table.language])),
		...ordered.flatMap((column) => askOrdered(column, table, ask, draw(table.key).map(String))),
		...both,
		...askLinked(table, tables, ask),
		...unknown.map((text) => ask("no answer", text, "", () => false)),
	].filter(({ kind, truth }) => kind === "no answer" || truth.length > 0);
}

type Ask = ReturnType<typeof createAsk>;

/** Makes questions with the names of the rows that answer them. */
function createAsk({ many, one, language, rows, key }: MadeTable) {
	return (kind: Kind, form: string, that: string, has: (row: MadeRow) => boolean): AskedQuestion => {
		const words = WORDS[language];
		const text = form === "which" || form === "count" ? words[form] : form;
		const truth = rows.filter(has).map((row) => ({
			...({ termType: "Literal", datatype: "" } as const),
			value: String(row.get(key)),
		}));
		return { kind, truth, text: text.replace("{many}", many).replace("{one}", one).replace("{that}", that) };
	};
}

function askTold(
	{ name, kind, is, not }: Told,
	drawn: readonly (string | number)[],
	ask: Ask,
	{ or }: Words,
): AskedQuestion[] {
	const values = kind === "flag" ? [["yes", "ja", "true"].find((each) => drawn.includes(each)) ?? ""] : drawn;
	const has =
		(...wanted: (string | number)[]) =>
		(row: MadeRow) =>
			wanted.includes(row.get(name) ?? "");
	const [value = "", other] = values;
	const asked = is.flatMap((phrase, index) => {
		const one = values[index % values.length] ?? "";
		return (["which", "count"] as const).map((form) => ask("value", form, withValue(phrase, one), has(one)));
	});
	const negated = ask("negation", "which", withValue(not, value), (row) => !has(value)(row));
	const either =
		other === undefined
			? []
			: [ask("either", "which", withValue(is[0], `${value} ${or} ${other}`), has(value, other))];
	return [...asked, negated, ...either];
}

function askOrdered(
	column: Ordered,
	table: MadeTable,
	ask: Ask,
	[a = "", b = ""]: readonly string[],
): AskedQuestion[] {
	const { more, less, least, most, fewest, than } = column;
	const words = WORDS[table.language];
	const amountOf = (row: MadeRow) => Number(row.get(column.name));
	const middle = middleOf(column, table);
	const said = sayOf(column, middle);
	const values = table.rows.map(amountOf);
	const [top, bottom] = [Math.max(...values), Math.min(...values)];
	const two = table.rows.filter((row) => [a, b].includes(String(row.get(table.key))));
	const [high, low] = [Math.max(...two.map(amountOf)), Math.min(...two.map(amountOf))];
	return [
		...more.map((phrase) => ask("limit", "which", withValue(phrase, said), (row) => amountOf(row) > middle)),
		...less.map((phrase) => ask("limit", "count", withValue(phrase, said), (row) => amountOf(row) < middle)),
		ask("limit", "which", withValue(least, said), (row) => amountOf(row) >= middle),
		ask("extreme", (words.most[0] ?? "").replace("{most}", most), "", (row) => amountOf(row) === top),
		ask("extreme", (words.most[1] ?? "").replace("{most}", fewest), "", (row) => amountOf(row) === bottom),
		...words.compare.map((form, index) => {
			const text = form
				.replaceAll("{than}", than[index] ?? "")
				.replace("{a}", a)
				.replace("{b}", b);
			return ask(
				"comparison",
				text,
				"",
				(row) => two.includes(row) && amountOf(row) === (index === 0 ? high : low),
			);
		}),
	];
}

function askLinked({ link, title }: MadeTable, tables: readonly MadeTable[], ask: Ask): AskedQuestion[] {
	const target = tables.find((each) => each.title === link?.table);
	if (!link || !target) return [];
	const linked = new Set(
		tables.find((each) => each.title === title)?.rows.map((row) => row.get(link.column)),
	);
	const others = target.rows.filter((row) => linked.has(row.get(target.key)));
	return link.ask.flatMap((phrase, index) => {
		const value = others[index]?.get(link.other) ?? "";
		const names = new Set(
			target.rows.filter((row) => row.get(link.other) === value).map((row) => row.get(target.key)),
		);
		return [
			ask("two steps", index === 0 ? "which" : "count", withValue(phrase, value), (row) =>
				names.has(row.get(link.column)),
			),
		];
	});
}

/** The median value of a column. */
function middleOf({ name }: Column, { rows }: MadeTable): number {
	return rows.map((row) => Number(row.get(name))).sort((a, b) => a - b)[Math.floor(rows.length / 2)] ?? 0;
}

function sayOf({ write, say = write }: Ordered, value: number): string {
	return say(value);
}

function withValue(phrase = "", value: string | number): string {
	return phrase.replace("{v}", String(value));
}
