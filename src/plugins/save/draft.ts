import { declaredPrefixes, iriOf } from "../../base/rdf/sparqlNames.ts";
import { isWord, type Token, tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { XSD } from "../../base/rdf/vocabulary.ts";
import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import { variablesIn } from "../queries/bindQuery.ts";

/** An earlier question or query that can be repeated with other values. */
export interface AskedBefore {
	readonly kind: "sparql" | "retrieval" | "prompt";
	readonly text: string;
}

/** Quoted words, dates, numbers, and capitalized names that do not begin the text. */
const PARTS =
	/(?<=["“„])[^"“”„]+(?=["“”])|\d{4}-\d{2}-\d{2}|\d+(?:\.\d+)?|(?<!^)(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'-]*(?:\s+\p{Lu}[\p{L}\p{N}'-]*)*/gu;

interface Value {
	readonly type: "string" | "date" | "iri" | "int" | "float";
	readonly value: string;
	/** Whether the value is likely to change between calls. */
	readonly isLikely: boolean;
}

export interface DraftPart extends Value {
	/** Suggested name of the parameter, unique within a text. */
	readonly name: string;
	readonly start: number;
	readonly end: number;
}

export function partsOf({ kind, text }: AskedBefore): readonly DraftPart[] {
	return kind === "sparql" ? partsOfQuery(text) : partsOfText(text, kind);
}

/** The question of a turn in the chat; `undefined` if it cannot be asked again. */
export function askedIn(turn: {
	readonly question: string;
	readonly answer: string;
	readonly command?: string;
}): AskedBefore | undefined {
	const { question, answer, command } = turn;
	if (command === "search") return { kind: "retrieval", text: question };
	if (command === "graph") {
		const [, query] = /^```sparql\n([\s\S]*?)\n```/m.exec(answer) ?? [];
		return query === undefined ? undefined : { kind: "sparql", text: query };
	}
	return command === undefined && answer !== "" ? { kind: "prompt", text: question } : undefined;
}

const TYPES: readonly string[] = ["string", "date", "iri", "int", "float"] satisfies DraftPart["type"][];

type Named = DraftPart & { readonly description?: string };

/** The chosen values as a line that the user can edit: `name: type; …`. */
export function lineFor(parts: readonly DraftPart[]): string {
	return parts.map(({ name, type }) => `${name}: ${type}`).join("; ");
}

/** Applies an edited line, `name: type = description; …`, to the parts; `undefined` if the line is wrong. */
export function withLine(parts: readonly DraftPart[], line: string): readonly Named[] | undefined {
	const said = line.split(";").map((one) => /^\s*([A-Za-z]\w{0,63})\s*:\s*(\w+)\s*(?:=\s*(.*))?$/s.exec(one));
	const named = parts.flatMap((part, index): Named[] => {
		const [, name, type = "", description = ""] = said[index] ?? [];
		if (name === undefined || !TYPES.includes(type)) return [];
		return [{ ...part, name, type: type as DraftPart["type"], description: description.trim() }];
	});
	const names = new Set(named.map(({ name }) => name));
	return said.length === parts.length && names.size === parts.length ? named : undefined;
}

export function pluginFileFor(
	asked: AskedBefore,
	{ description, parts }: { readonly description: string; readonly parts: readonly Named[] },
): object {
	// Ignore parts inside of other chosen parts.
	const chosen = parts.filter(
		(part) => !parts.some((other) => other !== part && other.start <= part.start && part.end <= other.end),
	);
	const parameters = Object.fromEntries(
		chosen.map(({ description: about, ...part }) => [
			part.name,
			{ type: part.type, ...(about && { description: about }), example: exampleOf(part) },
		]),
	);
	const [command, word] = NAMES[asked.kind];
	const given = chosen.length > 0 && { parameters };
	return {
		info: { title: visibleText(boundedText(description, 60)), description },
		commands: [{ name: command, description, ...given, [word]: withPlaces(asked, chosen) }],
	};
}

const NAMES = {
	sparql: ["query", "query"],
	retrieval: ["search", "search"],
	prompt: ["ask", "prompt"],
} as const satisfies Record<AskedBefore["kind"], unknown>;

function exampleOf({ type, value }: DraftPart): string | number | undefined {
	if (type !== "int" && type !== "float") return value;
	return Number.isFinite(Number(value)) ? Number(value) : undefined;
}

function withPlaces({ kind, text }: AskedBefore, parts: readonly DraftPart[]): string {
	return parts
		.toSorted((a, b) => b.start - a.start)
		.reduce((words, { name, start, end }) => {
			const place = kind === "sparql" ? `$${name}` : `{{${name}}}`;
			return words.slice(0, start) + place + words.slice(end);
		}, text);
}

function partsOfQuery(query: string): DraftPart[] {
	const tokens = tokensOf(query);
	const prefixes = declaredPrefixes(tokens);
	const unique = createNames(variablesIn(query));
	return tokens.flatMap((token, index): DraftPart[] => {
		const found = valueAt(tokens, index, prefixes) ?? dateAt(tokens, index, prefixes);
		if (!found) return [];
		const end = (found.type === "date" ? tokens[index + 2] : token)?.end ?? token.end;
		const name = unique(nameFor(tokens, index) ?? DEFAULTS[found.type]);
		return [{ ...found, name, start: token.start, end }];
	});
}

type Prefixes = ReadonlyMap<string, string>;

const DEFAULTS = { string: "text", date: "date", iri: "thing", int: "number", float: "number" } as const;

function valueAt(tokens: readonly Token[], index: number, prefixes: Prefixes): Value | undefined {
	const [before, token] = [tokens[index - 1], tokens[index]];
	if (!token || isWord(before, "PREFIX", "BASE", "FROM", "NAMED") || before?.text === "^^") return undefined;
	if (token.kind === "string") return textAt(token, tokens[index + 1]);
	if (token.kind === "number") {
		const type = /^\d+$/.test(token.text) ? "int" : "float";
		return { type, value: token.text, isLikely: false };
	}
	const iri = iriOf(token, prefixes);
	if (iri === undefined || !isThing(tokens, index)) return undefined;
	return { type: "iri", value: iri, isLikely: before?.text !== "a" };
}

function dateAt(tokens: readonly Token[], index: number, prefixes: Prefixes): Value | undefined {
	const [token, mark, type] = tokens.slice(index, index + 3);
	if (mark?.text !== "^^" || !type || iriOf(type, prefixes) !== `${XSD}date`) return undefined;
	const found = token?.kind === "string" && textAt(token, undefined);
	return found ? { ...found, type: "date" } : undefined;
}

/** The text of a literal; `undefined` for a literal with a language, a datatype or escapes. */
function textAt({ text }: Token, after: Token | undefined): Value | undefined {
	const [, , value] = /^("""|'''|"|')([^\\]*)\1$/s.exec(text) ?? [];
	if (value === undefined || after?.kind === "tag" || after?.text === "^^") return undefined;
	return { type: "string", value, isLikely: value.length > 1 };
}

/** Whether a name is a subject or object. A term follows a property; a bracket follows a function. */
function isThing(tokens: readonly Token[], index: number): boolean {
	const [before, after] = [tokens[index - 1], tokens[index + 1]];
	if (isWord(tokens[index - 2], "PREFIX")) return false;
	const isSubject = ["{", ".", "}"].includes(before?.text ?? "");
	const isObject = [".", ";", ",", "}", ")", "]"].includes(after?.text ?? "");
	return isSubject || isObject;
}

/** A name from the last word of the preceding property, or from the variable compared with the value. */
function nameFor(tokens: readonly Token[], index: number): string | undefined {
	const [before, earlier] = [tokens[index - 1], tokens[index - 2]];
	if (isWord(before, "LIMIT", "OFFSET")) return before?.text.toLowerCase();
	if (before?.text === "a") return "type";
	const near = before?.kind === "iri" || before?.kind === "name" ? before : earlier;
	if (!near || !["iri", "name", "variable"].includes(near.kind)) return undefined;
	return /([A-Za-z]\w{0,30})>?$/.exec(near.text)?.[1];
}

function partsOfText(text: string, kind: "retrieval" | "prompt"): DraftPart[] {
	const unique = createNames();
	const whole = { type: "string", name: "words", value: text, start: 0, isLikely: true } as const;
	const parts = [...text.matchAll(PARTS)].map(({ 0: value, index }) => {
		const type = typeOf(value);
		const name = { string: "name", date: "date", int: "number", float: "number" }[type];
		return { type, name, value, start: index, isLikely: kind === "prompt" };
	});
	const all = kind === "retrieval" ? [whole, ...parts] : parts;
	return all.map((part) => ({ ...part, name: unique(part.name), end: part.start + part.value.length }));
}

function typeOf(value: string): Exclude<Value["type"], "iri"> {
	if (/^\d{4}-/.test(value)) return "date";
	if (/^\d+$/.test(value)) return "int";
	return /^\d+\.\d+$/.test(value) ? "float" : "string";
}

function createNames(taken: Iterable<string> = []): (wanted: string) => string {
	const names = new Set(taken);
	return (wanted) => {
		let name = wanted;
		for (let count = 2; names.has(name); count++) name = `${wanted}${count}`;
		names.add(name);
		return name;
	};
}
