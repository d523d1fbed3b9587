import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parse } from "../../../src/knowledge/passages/source.ts";
import { parseJsonLd as jsonLd } from "../../../src/knowledge/rdf/jsonLd/jsonLd.ts";
import { parseRdfXml as rdfXml } from "../../../src/knowledge/rdf/rdfXml.ts";
import { nTriples, trig, turtle } from "../../../src/knowledge/rdf/turtle.ts";
import { times } from "../../support/times.ts";
import { parse } from "./quadText.ts";

const RDF = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://x/">`;

/** The statements that are found all the same, and the problem that is reported. */
type Hostile = readonly [format: Parse, name: string, quads: number, text: () => string, problem?: RegExp];

/** Each of these took minutes, all memory or the process with some library, or could. */
const files: readonly Hostile[] = [
	[turtle, "10,000 nested nodes", 10_001, () => `<x:a> <x:p> ${"[<x:p>".repeat(1e4)}1${"]".repeat(1e4)} .`],
	[turtle, "10,000 nested lists", 19_999, () => `<x:a> <x:p> ${"(".repeat(10_000)}${")".repeat(10_000)} .`],
	[nTriples, "20 MB of literal", 1, () => `<x:a> <x:p> "${"x".repeat(20_000_000)}" .\n<x:b> <x:p> 1 .`, /./],
	[turtle, "a literal that never ends", 0, () => `<x:a> <x:p> """${"x\n".repeat(500_000)}`, /Unexpected/],
	[trig, "nothing but brackets", 0, () => "{".repeat(100_000), /Unexpected/],
	[turtle, "10,000 blank nodes that are alike", 5000, () => "[ <x:p> [] ] .\n".repeat(5000)],
	[rdfXml, "20,000 nested elements", 999, () => RDF + "<A><p>".repeat(20_000), /nested deeper than 1000/],
	[
		rdfXml,
		"entities that laugh a billion times",
		2,
		() => {
			const laughs = times(10, (n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
			return `<!DOCTYPE r [<!ENTITY l0 "ha">${laughs.join("")}]>${RDF}<A><p>&l10;</p></A></rdf:RDF>`;
		},
	],
	[
		rdfXml,
		"a long entity that is repeated",
		1,
		() =>
			`<!DOCTYPE r [<!ENTITY a "${"a".repeat(100_000)}">]>${RDF}<A><p>${"&a;".repeat(100_000)}</p></A></rdf:RDF>`,
		/too long to be replaced/,
	],
	[
		rdfXml,
		"an entity from a file",
		2,
		() => `<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/hostname">]>${RDF}<A><p>&f;</p></A></rdf:RDF>`,
		/undefined entity/,
	],
	[
		rdfXml,
		"thousands of namespaces for thousands of elements",
		5000,
		() => {
			const namespaces = times(5000, (n) => `xmlns:n${n}="http://n/${n}"`);
			return `${RDF.slice(0, -1)} ${namespaces.join(" ")}>${"<A/>".repeat(5000)}</rdf:RDF>`;
		},
	],
	[jsonLd, "20,000 arrays inside each other", 0, () => "[".repeat(20_000), /nested deeper than 100/],
	[jsonLd, "100,000 arrays", 0, () => `{"x:p":[${"[1],".repeat(100_000)}1]}`, /array of 100000 arrays/],
	[
		jsonLd,
		"a list of 20,000 items",
		40_001,
		() => JSON.stringify({ "x:p": { "@list": times(20_000, Number) } }),
	],
	[
		jsonLd,
		"an array of 3,000 contexts",
		0,
		() => JSON.stringify({ "@context": times(3000, (n) => ({ [`t${n}`]: "x:t" })), t5: 1 }),
		/3000 contexts/,
	],
	[
		jsonLd,
		"contexts inside contexts",
		0,
		() => `{"@context":${'{"t":{"@id":"x:t","@context":'.repeat(40)}{}${"}".repeat(81)}`,
		/contexts inside contexts on 41 levels/,
	],
	[jsonLd, "a context that names itself", 0, () => `{"@context":{"a":"b:c","b":"a:d"},"a":1}`, /Cyclical/],
	[jsonLd, "a million steps up", 0, () => `{"@id":"${"../".repeat(1_000_000)}","x:p":1}`, /1000000 slashes/],
	[
		jsonLd,
		"keys that objects have of their own",
		3,
		() => `{"@context":{"@vocab":"x:"},"__proto__":{"a":1},"constructor":2,"toString":3,"hasOwnProperty":4}`,
		/__proto__/,
	],
	[jsonLd, "a string of escapes that never ends", 0, () => `"${"\\\\".repeat(500_000)}`, /does not end/],
];

for (const [format, name, quads, text, problem] of files) {
	test(`${format.name}: ${name}`, async () => {
		const document = await parse(format, text());
		assert.equal(document.quads.length, quads);
		if (problem) assert.match(document.problems.map(({ message }) => message).join("\n"), problem);
		else assert.deepEqual(document.problems, []);
	});
}
