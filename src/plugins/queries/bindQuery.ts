import { Failure } from "../../base/failure.ts";
import { isWord, type Token, tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { XSD } from "../../base/rdf/vocabulary.ts";
import { literal } from "../../core/knowledge/rdf.ts";
import { writeTerm } from "../../core/knowledge/writeTerm.ts";
import { IRI } from "../types/checkValue.ts";

/** Values by variable name. Variables without a value stay variables. */
export type Bindings = ReadonlyMap<string, Binding>;

interface Binding {
	/** A text, number, flag, or a list of these. */
	readonly value: unknown;
	/** Type of the value or of the list's items. Texts of the types `iri` and `date` become special terms. */
	readonly kind?: string | undefined;
}

/** Replaces variables by escaped terms. Throws a `Failure` if SPARQL requires a variable in such a place. */
export function bindQuery(query: string, bindings: Bindings): string {
	const tokens = tokensOf(query);
	const edits: ReturnType<typeof editFor>[] = [];
	const levels: Level[] = [{ opener: "" }];
	for (const [index, token] of tokens.entries()) {
		const level = levels.at(-1) ?? { opener: "" };
		const binding = token.kind === "variable" ? bindings.get(token.text.slice(1)) : undefined;
		if (binding) edits.push(editFor(tokens, index, level, binding));
		else follow(tokens, index, levels);
	}
	return edits.reduceRight(
		(text, { start, end, text: term }) => text.slice(0, start) + term + text.slice(end),
		query,
	);
}

export function variablesIn(query: string): Set<string> {
	return new Set(tokensOf(query).flatMap(({ kind, text }) => (kind === "variable" ? [text.slice(1)] : [])));
}

/** Names of the variables that are used as LIMIT or OFFSET. */
export function countsIn(query: string): string[] {
	const tokens = tokensOf(query);
	return tokens.flatMap(({ kind, text }, index) =>
		kind === "variable" && isWord(tokens[index - 1], "LIMIT", "OFFSET") ? [text.slice(1)] : [],
	);
}

interface Level {
	/** The opening bracket with its keyword, as `VALUES {`; empty at the top level. */
	readonly opener: string;
	/** The clause of `CLAUSES` that the tokens belong to, if any. */
	clause?: string | undefined;
}

const CLAUSES = ["SELECT", "GROUP", "ORDER", "VALUES"];
const OTHERS = ["WHERE", "FROM", "HAVING", "LIMIT", "OFFSET", "FILTER", "BIND", "OPTIONAL", "UNION", "MINUS"];

function follow(tokens: readonly Token[], index: number, levels: Level[]): void {
	const token = tokens[index];
	const level = levels.at(-1);
	if (!token || !level) return;
	if (token.text === "(") levels.push(bracketAfter(tokens[index - 1], level));
	else if (token.text === "{") {
		levels.push({ opener: level.clause === "VALUES" ? "VALUES {" : "{" });
		level.clause = undefined;
	} else if (CLOSING.has(token.text) && levels.length > 1) levels.pop();
	else if (isWord(token, ...OTHERS)) level.clause = undefined;
	else if (isWord(token, ...CLAUSES)) level.clause = token.text.toUpperCase();
}

const CLOSING: ReadonlySet<string> = new Set([")", "}"]);

function bracketAfter(before: Token | undefined, { opener, clause }: Level): Level {
	if (opener === "VALUES {") return { opener: "VALUES (" };
	// The variables of VALUES may be in parentheses.
	if (clause === "VALUES") return { opener: "(", clause };
	return { opener: isWord(before, "IN", "BOUND") ? `${before?.text.toUpperCase()} (` : "(" };
}

function editFor(tokens: readonly Token[], index: number, level: Level, binding: Binding) {
	const { start, end, text: variable } = tokens[index] as Token;
	const [call, before, closing] = [tokens[index - 2], tokens[index - 1], tokens[index + 1]];
	const given = `The query itself gives ${variable} a value, so it cannot be a parameter.`;
	if (isWord(before, "AS") || level.clause === "VALUES") throw new Failure("BAD_INPUT", given);
	if (level.opener === "BOUND (" && call && closing)
		return { start: call.start, end: closing.end, text: "true" };
	if (isWord(before, "LIMIT", "OFFSET")) return { start, end, text: countOf(binding, variable) };
	return { start, end, text: termsFor(variable, level, binding) };
}

function termsFor(variable: string, { opener, clause = "" }: Level, { value, kind }: Binding): string {
	if (Array.isArray(value)) {
		const separator = SEPARATORS[opener];
		if (separator !== undefined) return value.map((item) => termOf(item, kind)).join(separator);
		const listed = `${variable} is a list: it can be used only in IN (…) or in VALUES … {…}.`;
		throw new Failure("BAD_INPUT", listed);
	}
	const term = termOf(value, kind);
	if (clause === "SELECT") return `(${term} AS ${variable})`;
	return clause === "" ? term : `(${term})`;
}

/** Separators of lists, by the bracket in which a query allows a list. */
const SEPARATORS: Readonly<Record<string, string>> = { "IN (": ", ", "VALUES {": " " };

function countOf({ value }: Binding, variable: string): string {
	if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return String(value);
	throw new Failure("BAD_INPUT", `${variable} is a count: give a whole number, 0 or more.`);
}

function termOf(value: unknown, kind: string | undefined): string {
	if (typeof value === "string" && kind === "iri") {
		if (IRI.test(value)) return `<${value}>`;
		throw new Failure("BAD_INPUT", `“${value.slice(0, 200)}” is not an IRI.`);
	}
	if (typeof value === "string") return typed(value.toWellFormed(), kind === "date" ? kind : "string");
	if (typeof value === "boolean") return typed(value, "boolean");
	if (typeof value === "number" && Number.isFinite(value)) return typed(value, datatypeOf(value));
	throw new Failure("BAD_INPUT", "Only texts, numbers, and flags can be used in a query.");
}

function typed(value: string | number | boolean, type: string): string {
	return writeTerm(literal(String(value), XSD + type));
}

/** The datatype that Turtle gives to the number's notation in JavaScript. */
function datatypeOf(value: number): string {
	if (Number.isInteger(value) && Math.abs(value) < 1e21) return "integer";
	return String(value).includes("e") ? "double" : "decimal";
}
