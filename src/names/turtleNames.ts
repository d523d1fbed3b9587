import { compactIri } from "./compact.ts";
import type { NamedText, Names, WrittenName } from "./name.ts";
import { isIri, resolveIri } from "./resolveIri.ts";

const STRING = `"""(?:[^"\\\\]|\\\\[\\s\\S]|"(?!""))*(?:"""|$)|'''(?:[^'\\\\]|\\\\[\\s\\S]|'(?!''))*(?:'''|$)|"(?:[^"\\\\\\n\\r]|\\\\.)*"|'(?:[^'\\\\\\n\\r]|\\\\.)*'`;
const LOCAL =
	"(?:[\\p{L}\\p{N}_:]|%[0-9A-Fa-f]{2}|\\\\[_~.!$&'()*+,;=/?#@%-])(?:(?:[\\p{L}\\p{N}_:.-]|%[0-9A-Fa-f]{2}|\\\\[_~.!$&'()*+,;=/?#@%-])*(?:[\\p{L}\\p{N}_:-]|%[0-9A-Fa-f]{2}|\\\\[_~.!$&'()*+,;=/?#@%-]))?";
const PREFIX = "\\p{L}(?:[\\p{L}\\p{N}_.-]*[\\p{L}\\p{N}_-])?";

/** Common tokens of Turtle, TriG, N-Triples, N-Quads and SPARQL. */
const TOKEN = new RegExp(
	[
		"(?<skip>#[^\\n\\r]*|_:[\\p{L}\\p{N}_.-]*|[?$@][\\p{L}\\p{N}_-]+",
		`${STRING})`,
		'<(?<iri>(?:[^<>"{}|^`\\\\\\s]|\\\\u[0-9A-Fa-f]{4}|\\\\U[0-9A-Fa-f]{8})*)>',
		`(?<prefix>${PREFIX})?:(?<local>${LOCAL})?`,
		"(?<word>[\\p{L}\\p{N}_]+)",
	].join("|"),
	"gu",
);

export function turtleNames({ uri, text, known = new Map() }: NamedText): Names {
	const reading: Reading = { base: uri, prefixes: new Map(), known, names: [], declares: undefined };
	for (const match of text.matchAll(TOKEN)) readToken(reading, match);
	return reading;
}

interface Reading {
	base: string;
	readonly prefixes: Map<string, string>;
	readonly known: ReadonlyMap<string, string>;
	readonly names: WrittenName[];
	/** Declaration begun by the tokens before. */
	declares: { readonly what: "base" } | { readonly what: "prefix"; readonly prefix?: string } | undefined;
}

function readToken(reading: Reading, { 0: token, index, groups = {} }: RegExpExecArray): void {
	const { declares } = reading;
	const { skip, iri, local, prefix = "", word } = groups;
	reading.declares = undefined;
	if (skip !== undefined || word !== undefined)
		// Declarations may contain comments.
		reading.declares = declarationAt(token) ?? (token.startsWith("#") ? declares : undefined);
	else if (iri !== undefined) readIri(reading, { token, index, iri: unescapeIri(iri) }, declares);
	else if (declares?.what === "prefix") reading.declares = { what: "prefix", prefix };
	else addPrefixed(reading, { token, index, prefix, local: local ?? "" });
}

function declarationAt(token: string): Reading["declares"] {
	const [, what] = /^@?(prefix|base)$/i.exec(token) ?? [];
	return what === undefined ? undefined : { what: what.toLowerCase() as "prefix" | "base" };
}

interface Token {
	readonly token: string;
	readonly index: number;
}

function readIri(
	reading: Reading,
	{ token, index, iri }: Token & { readonly iri: string },
	declares: Reading["declares"],
): void {
	const resolved = resolveIri(iri, reading.base);
	if (declares?.what === "base") reading.base = resolved;
	else if (declares?.what === "prefix") reading.prefixes.set(declares.prefix ?? "", resolved);
	else reading.names.push({ iri: resolved, start: index, end: index + token.length, spell: inBrackets });
}

function addPrefixed(
	{ prefixes, known, names }: Reading,
	{ token, index, prefix, local }: Token & { readonly prefix: string; readonly local: string },
): void {
	const namespace = prefixes.get(prefix) ?? known.get(prefix);
	if (namespace === undefined) return;
	names.push({
		iri: namespace + local.replace(/\\(.)/g, "$1"),
		start: index,
		end: index + token.length,
		spell: (iri) => compactIri(iri, new Map([...known, ...prefixes])) ?? inBrackets(iri),
	});
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
