import assert from "node:assert/strict";
import { test } from "node:test";
import type { Format } from "../../../src/knowledge/passages/format.ts";
import { jsonLd } from "../../../src/knowledge/rdf/jsonLd/jsonLd.ts";
import { rdfXml } from "../../../src/knowledge/rdf/rdfXml.ts";
import { nQuads, nTriples, trig, turtle } from "../../../src/knowledge/rdf/turtle.ts";
import { parse } from "./quadText.ts";

const RDF = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://x/">`;

interface Hostile {
	readonly name: string;
	readonly format: Format;
	readonly text: () => string;
	/** Statements that are found all the same. */
	readonly quads: number;
	/** The problem that is told. */
	readonly problem?: RegExp;
}

/** Each of these took minutes, all memory or the process with some library, or could. */
const files: readonly Hostile[] = [
	{
		name: "10,000 blank nodes inside each other",
		format: turtle,
		text: () => `<x:a> <x:p> ${"[ <x:p> ".repeat(10_000)}1${"]".repeat(10_000)} .`,
		quads: 10_001,
	},
	{
		name: "10,000 lists inside each other",
		format: turtle,
		text: () => `<x:a> <x:p> ${"(".repeat(10_000)}${")".repeat(10_000)} .`,
		quads: 19_999,
	},
	{
		name: "a literal of 20 MB",
		format: nTriples,
		text: () => `<x:a> <x:p> "${"x".repeat(20_000_000)}" .\n<x:b> <x:p> 1 .`,
		quads: 1,
		problem: /./,
	},
	{
		name: "an IRI of 5 MB",
		format: nQuads,
		text: () => `<x:${"a".repeat(5_000_000)}> <x:p> "1" .`,
		quads: 1,
	},
	{
		name: "a literal that never ends",
		format: turtle,
		text: () => `<x:a> <x:p> """${"x\n".repeat(500_000)}`,
		quads: 0,
		problem: /Unexpected/,
	},
	{ name: "20,000 graphs", format: trig, text: () => `<x:g> { <x:a> <x:p> 1 }\n`.repeat(20_000), quads: 1 },
	{
		name: "nothing but brackets",
		format: trig,
		text: () => "{".repeat(100_000),
		quads: 0,
		problem: /Unexpected/,
	},
	{
		name: "10,000 blank nodes that are alike",
		format: turtle,
		text: () => "[ <x:p> [] ] .\n".repeat(5000),
		quads: 5000,
	},
	{
		name: "20,000 elements inside each other",
		format: rdfXml,
		text: () => RDF + "<A><p>".repeat(20_000),
		quads: 999,
		problem: /nested deeper than 1000/,
	},
	{
		name: "entities that laugh a billion times",
		format: rdfXml,
		text: () => {
			const laughs = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
			return `<!DOCTYPE r [<!ENTITY l0 "ha">${laughs.join("")}]>${RDF}<A><p>&l10;</p></A></rdf:RDF>`;
		},
		quads: 2,
	},
	{
		name: "a long entity that is repeated",
		format: rdfXml,
		text: () =>
			`<!DOCTYPE r [<!ENTITY a "${"a".repeat(100_000)}">]>${RDF}<A><p>${"&a;".repeat(100_000)}</p></A></rdf:RDF>`,
		quads: 1,
		problem: /too long to be replaced/,
	},
	{
		name: "an entity from a file",
		format: rdfXml,
		text: () => `<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/hostname">]>${RDF}<A><p>&f;</p></A></rdf:RDF>`,
		quads: 2,
		problem: /undefined entity/,
	},
	{
		name: "thousands of namespaces for thousands of elements",
		format: rdfXml,
		text: () => {
			const namespaces = Array.from({ length: 5000 }, (_, n) => `xmlns:n${n}="http://n/${n}"`);
			return `${RDF.slice(0, -1)} ${namespaces.join(" ")}>${"<A/>".repeat(5000)}</rdf:RDF>`;
		},
		quads: 5000,
	},
	{
		name: "20,000 arrays inside each other",
		format: jsonLd,
		text: () => "[".repeat(20_000),
		quads: 0,
		problem: /nested deeper than 100/,
	},
	{
		name: "20,000 objects inside each other",
		format: jsonLd,
		text: () => '{"x:p":'.repeat(20_000),
		quads: 0,
		problem: /nested deeper than 100/,
	},
	{
		name: "an array of 100,000 arrays",
		format: jsonLd,
		text: () => `{"x:p":[${"[1],".repeat(100_000)}1]}`,
		quads: 0,
		problem: /array of 100000 arrays/,
	},
	{
		name: "a property of 20,000 values",
		format: jsonLd,
		text: () => JSON.stringify({ "x:p": numbers(20_000) }),
		quads: 20_000,
	},
	{
		name: "a list of 20,000 items",
		format: jsonLd,
		text: () => JSON.stringify({ "x:p": { "@list": numbers(20_000) } }),
		quads: 40_001,
	},
	{
		name: "an array of 3,000 contexts",
		format: jsonLd,
		text: () => JSON.stringify({ "@context": numbers(3000).map((n) => ({ [`t${n}`]: "x:t" })), t5: 1 }),
		quads: 0,
		problem: /3000 contexts/,
	},
	{
		name: "contexts inside contexts",
		format: jsonLd,
		text: () => {
			const inside = numbers(40).reduce<object>(
				(context, n) => ({ [`t${n}`]: { "@id": "x:t", "@context": context } }),
				{},
			);
			return JSON.stringify({ "@context": inside });
		},
		quads: 0,
		problem: /contexts inside contexts on 41 levels/,
	},
	{
		name: "a context that names itself",
		format: jsonLd,
		text: () => `{"@context":{"a":"b:c","b":"a:d"},"a":1}`,
		quads: 0,
		problem: /Cyclical/,
	},
	{
		name: "a path of a million steps up",
		format: jsonLd,
		text: () => JSON.stringify({ "@id": "../".repeat(1_000_000), "x:p": 1 }),
		quads: 0,
		problem: /1000000 slashes/,
	},
	{
		name: "keys that objects have of their own",
		format: jsonLd,
		text: () =>
			`{"@context":{"@vocab":"x:"},"__proto__":{"a":1},"constructor":2,"toString":3,"hasOwnProperty":4}`,
		quads: 3,
		problem: /__proto__/,
	},
	{
		name: "a string of escapes that never ends",
		format: jsonLd,
		text: () => `"${"\\\\".repeat(500_000)}`,
		quads: 0,
		problem: /does not end/,
	},
];

function numbers(count: number): number[] {
	return Array.from({ length: count }, (_, n) => n);
}

for (const { name, format, text, quads, problem } of files) {
	test(`${format.id}: ${name}`, async () => {
		const document = await parse(format, text());
		assert.equal(document.quads.length, quads);
		if (problem) assert.match(document.problems.map(({ message }) => message).join("\n"), problem);
		else assert.deepEqual(document.problems, []);
	});
}
