import type { Term } from "../../../src/core/knowledge/rdf.ts";
import type { Sparql } from "../../../src/graph/sparql/sparql.ts";
import { createRandom, shuffled } from "../measures.ts";
import type { AskedQuestion, Kind } from "./askedQuestion.ts";

/** Questions that differ only in the names in them. */
export interface Template {
	readonly kind: Kind;
	/** Texts of questions, each filled with other names from the data for `{a}`. */
	readonly asks: readonly string[];
	/** The pattern that finds `?a` with its name `?aName`, or with its own text. */
	readonly fill?: string;
	/** The pattern that finds the answers `?x`, with `{a}` for the thing; absent if there must be no answer. */
	readonly truth?: string;
}

/** A pattern for the things with the maximum or minimum value. */
export function extreme(pattern: string, property: string, end: "MAX" | "MIN"): string {
	const other = pattern.replaceAll("?x", "?y");
	return `${pattern} ?x ${property} ?v . {SELECT (${end}(?w) AS ?v) WHERE {${other} ?y ${property} ?w}}`;
}

/** A thing or value with its name. */
interface Filling {
	readonly term: Term;
	readonly name: string;
}

type Fillings = ReadonlyMap<string, Filling>;

const ROWS = { rowLimit: 20_000 };

/** Maximum number of characters of a name in a question. */
const LONGEST_NAME = 60;

/** The questions of the templates, equal in every run. */
export async function askedOf(
	templates: readonly Template[],
	prefixes: string,
	sparql: Sparql,
): Promise<AskedQuestion[]> {
	const random = createRandom(7);
	const asked: AskedQuestion[] = [];
	for (const template of templates) {
		const { fill, asks } = template;
		const read = (query: string) => rowsOf(`${prefixes} ${query}`, sparql);
		const rows =
			fill === undefined ? asks.map(() => new Map()) : await read(`SELECT DISTINCT * WHERE {${fill}}`);
		asked.push(...(await draw(template, shuffled(fillingsOf(rows, asks), random), read)));
	}
	return asked;
}

/** One question for each text, with the next filling that has an answer in the data. */
async function draw(
	{ asks, kind, truth: pattern }: Template,
	fillings: readonly Fillings[],
	read: (query: string) => Promise<ReadonlyMap<string, Term>[]>,
): Promise<AskedQuestion[]> {
	const asked: AskedQuestion[] = [];
	for (const filling of fillings) {
		const ask = asks[asked.length];
		if (ask === undefined) break;
		const text = filled(ask, filling, ({ name }) => name);
		const query = pattern && filled(pattern, filling, ({ term }) => written(term));
		const rows = query === undefined ? [] : await read(`SELECT DISTINCT ?x WHERE {${query}}`);
		const truth = rows.flatMap((row) => row.get("x") ?? []);
		if (pattern === undefined || truth.length > 0) asked.push({ text, kind, truth });
	}
	if (asked.length < asks.length) throw new Error(`Too few names for "${asks[asked.length]}".`);
	return asked;
}

/** The fillings for the texts, without names shared by several things. */
function fillingsOf(rows: readonly ReadonlyMap<string, Term>[], asks: readonly string[]): Fillings[] {
	const slots = new Set(Array.from(asks.join().matchAll(/\{(\w)\}/g), ([, slot = ""]) => slot));
	const all = rows.map((row) => fillingOf(row, slots));
	const called = new Map<string, Set<string>>();
	for (const { term, name } of all.flatMap((filling) => [...filling.values()]))
		called.set(name.toLowerCase(), (called.get(name.toLowerCase()) ?? new Set()).add(term.value));
	const isClear = ({ name }: Filling) =>
		name.length <= LONGEST_NAME && called.get(name.toLowerCase())?.size === 1;
	const clear = all.filter((filling) => [...filling.values()].every(isClear));
	const keyOf = (filling: Fillings) => Array.from(filling.values(), ({ name }) => name).join("\n");
	if (slots.size === 0) return clear;
	const distinct = new Map(clear.map((filling) => [keyOf(filling), filling]));
	return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, filling]) => filling);
}

function fillingOf(row: ReadonlyMap<string, Term>, slots: ReadonlySet<string>): Fillings {
	return new Map(
		[...slots].sort().flatMap((slot) => {
			const term = row.get(slot);
			const called = (row.get(`${slot}Name`) ?? term)?.value.trim().replace(/\s+/g, " ") ?? "";
			return term ? [[slot, { term, name: called }] as const] : [];
		}),
	);
}

function filled(text: string, filling: Fillings, write: (filling: Filling) => string): string {
	return text.replace(/\{(\w)\}/g, (whole, slot: string) => {
		const found = filling.get(slot);
		return found ? write(found) : whole;
	});
}

function written(term: Term): string {
	if (term.termType === "NamedNode") return `<${term.value}>`;
	if (term.termType !== "Literal") throw new Error("A blank node has no name in SPARQL.");
	const tail = term.language ? `@${term.language}` : `^^<${term.datatype}>`;
	return JSON.stringify(term.value) + tail;
}

async function rowsOf(query: string, sparql: Sparql): Promise<ReadonlyMap<string, Term>[]> {
	const result = await sparql.query(query, ROWS, new AbortController().signal);
	if (result.kind !== "rows") throw new Error(`${query} gives no rows`);
	return result.rows.map((row) => new Map(Object.entries(row)));
}
