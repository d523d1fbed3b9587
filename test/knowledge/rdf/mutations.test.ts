import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parse } from "../../../src/knowledge/passages/format.ts";
import { parseJsonLd as jsonLd } from "../../../src/knowledge/rdf/jsonLd/jsonLd.ts";
import { parseRdfXml as rdfXml } from "../../../src/knowledge/rdf/rdfXml.ts";
import { nQuads, trig, turtle } from "../../../src/knowledge/rdf/turtle.ts";
import { parse } from "./quadText.ts";

const samples: readonly { readonly format: Parse; readonly text: string }[] = [
	{
		format: turtle,
		text: `@prefix : <http://x/> .\n:ada a :Person ; :name "Ada"@en , 'A' ; :knows [ :name """Bob\n""" ; :age 5.5e1 ] ;\n  :likes ( 1 true <tea> ) .\n_:b <p> "x"^^:t .\n`,
	},
	{
		format: trig,
		text: `PREFIX : <http://x/>\n:g { :a :p _:b . _:b :q "\\u00e9" }\nGRAPH _:h { [] :r ( ) } :c :p -1 .\n`,
	},
	{
		format: nQuads,
		text: `<x:a> <x:p> "1"^^<x:t> <x:g> .\n_:a <x:p> "\\n"@en-GB .\n# comment\n<x:a> <x:p> _:a _:g .\n`,
	},
	{
		format: rdfXml,
		text: `<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY e "http://x/">]>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://x/" xml:base="http://x/">\n<A rdf:about="&e;a"><p xml:lang="en">1 &lt; 2</p><q rdf:parseType="Collection"><B/><B rdf:ID="b"/></q><r rdf:resource="#c" rdf:ID="s"/></A>\n</rdf:RDF>`,
	},
	{
		format: jsonLd,
		text: `{"@context": ["https://schema.org", {"x": "http://x/", "l": {"@id": "x:l", "@container": "@list"}, "m": {"@id": "x:m", "@container": "@language"}}],\n"@id": "#a", "@type": ["Person", "x:T"], "name": "A\\n", "l": [1, 2.5, {"@value": "v", "@type": "x:t"}], "m": {"en": "a"}, "@reverse": {"knows": {"@id": "_:b"}}}`,
	},
];

const PIECES = [
	"",
	"\0",
	"\ufeff",
	"\ud800",
	'"',
	"'",
	"<",
	">",
	"{",
	"}",
	"[",
	"]",
	"(",
	")",
	"\\",
	"&",
	":",
	";",
	".",
	"@",
	"#",
	"_:",
	"\r",
	"\n",
	"💥",
	"e9",
	"null",
	"@context",
	"<!--",
	"]]>",
];

function createRandom(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
		return (state >> 8) % below;
	};
}

function mutate(text: string, random: (below: number) => number): string {
	const [from, length, source] = [random(text.length), random(12), random(text.length)];
	const piece =
		random(3) === 0 ? text.slice(source, source + random(40)) : (PIECES[random(PIECES.length)] ?? "");
	return text.slice(0, from) + piece + text.slice(from + length);
}

for (const { format, text } of samples) {
	test(`${format.name}: 500 mutated files are read to the end, with lines inside the file`, async () => {
		const random = createRandom(7);
		for (let turn = 0; turn < 500; turn++) {
			let mutated = text;
			for (let changes = random(4); changes >= 0; changes--) mutated = mutate(mutated, random);
			const last = mutated.split(/\r\n|\r|\n/).length;
			const { quads, problems, resources } = await parse(format, mutated);
			for (const { lines } of [...quads, ...problems, ...resources]) {
				assert.ok(
					1 <= lines.start && lines.start <= lines.end && lines.end <= last,
					JSON.stringify([mutated, lines]),
				);
			}
		}
	});
}
