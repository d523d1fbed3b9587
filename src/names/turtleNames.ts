import { iriOf } from "../base/rdf/sparqlNames.ts";
import { scanTokens, type Token } from "../base/rdf/sparqlTokens.ts";
import { compactIri, isIri, resolveIri } from "./iris.ts";
import type { Found, NamedText, Names } from "./name.ts";

interface Reading extends Found {
	base: string;
	/** Known and declared prefixes. */
	readonly all: Map<string, string>;
}

export function turtleNames({ uri, text, known = new Map() }: NamedText): Names {
	const reading: Reading = { base: uri, prefixes: new Map(), all: new Map(known), names: [] };
	let before: Token | undefined;
	let last: Token | undefined;
	for (const token of scanTokens(text)) {
		if (token.kind === "iri") readIri(reading, token, before, last);
		else if (token.kind === "name" && !begins(last, "prefix")) addPrefixed(reading, token);
		before = last;
		last = token;
	}
	return reading;
}

/** Whether a token begins a declaration: `PREFIX`, or `@prefix`. */
function begins(token: Token | undefined, what: "base" | "prefix"): boolean {
	const isKeyword = token?.kind === "word" || token?.kind === "tag";
	return isKeyword && token.text.replace("@", "").toLowerCase() === what;
}

function readIri(reading: Reading, { text, start, end }: Token, before?: Token, last?: Token): void {
	const iri = resolveIri(unescapeIri(text.slice(1, -1)), reading.base);
	if (begins(last, "base")) reading.base = iri;
	else if (begins(before, "prefix") && last)
		for (const prefixes of [reading.prefixes, reading.all]) prefixes.set(last.text.slice(0, -1), iri);
	else reading.names.push({ iri, start, end, spell: inBrackets });
}

function addPrefixed({ all, names }: Reading, token: Token): void {
	const iri = iriOf(token, all);
	const { start, end } = token;
	const spell = (wanted: string) => compactIri(wanted, all) ?? inBrackets(wanted);
	if (iri !== undefined) names.push({ iri, start, end, spell });
}

function inBrackets(iri: string): string | undefined {
	return isIri(iri) ? `<${iri}>` : undefined;
}

function unescapeIri(iri: string): string {
	return iri.replace(/\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})/g, (_, short?: string, long?: string) => {
		const code = Number.parseInt(short ?? long ?? "", 16);
		return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
	});
}
