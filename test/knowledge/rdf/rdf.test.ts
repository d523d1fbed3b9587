import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quad, Term } from "../../../src/core/knowledge/rdf.ts";
import type { Parse } from "../../../src/knowledge/passages/source.ts";
import { parseJsonLd as jsonLd } from "../../../src/knowledge/rdf/jsonLd/jsonLd.ts";
import { canonicalize } from "../../../src/knowledge/rdf/rdfDocument.ts";
import { parseRdfXml as rdfXml } from "../../../src/knowledge/rdf/rdfXml.ts";
import { nQuads, nTriples, readTurtle, trig, turtle } from "../../../src/knowledge/rdf/turtle.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { times } from "../../support/times.ts";
import { parse, problemsIn, statementsIn } from "./quadText.ts";

const RDF = `xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"`;

type Case = readonly [format: Parse, text: string, statements: readonly string[], ...problems: string[]];

const CASES: Readonly<Record<string, Case>> = {
	"a broken Turtle statement is reported at its line, and other statements are read with the prefixes": [
		turtle,
		`@base <http://b.example/> .
@prefix : <ns#> .
:a :p 1 .
:b :p "unclosed .
:c :p 3 .

# a comment
:d :p :q :r .
:e :p <x> .
`,
		['3-3 a p "1"', '5-5 c p "3"', "9-9 e p x"],
		'error 4 Unexpected ""unclosed".',
		'error 8 Expected punctuation to follow "http://b.example/ns#q".',
	],
	"a broken line of N-Quads affects no other line": [
		nQuads,
		'<x:a> <x:p> "1" .\n<x:b> <p> "2" .\r\n<x:c> <x:p> "3" <x:g> .\n',
		['1-1 x:a x:p "1"', '3-3 x:c x:p "3" x:g'],
		"error 2 Invalid IRI.",
	],
	"TriG is read with its named graphs, up to the first error": [
		trig,
		"@prefix : <#> .\n:g {\n:a :p 1 .\n:b :p\n}\n:c :p 2 .\n",
		['3-3 a p "1" g'],
		"error 5 Expected entity but got }.",
	],
	"a repeated N-Triples statement counts once": [
		nTriples,
		"<x:a> <x:p> <x:b>.\n<x:a> <x:p> <x:b>.",
		["1-1 x:a x:p x:b"],
	],
	"triple terms of RDF 1.2 are skipped with one warning": [
		turtle,
		"PREFIX : <#>\n:a :p <<( :b :q :c )>> .\n:d :p <<( :b :q :c )>> .\n:e :p 1 .\n",
		['4-4 e p "1"'],
		"warning 2 Statements with triple terms (RDF 1.2) are left out.",
	],
	"Turtle in an RDF/XML file is read as Turtle": [
		rdfXml,
		"# Ontology\n@prefix : <#> .\n:a :p 1 .\n",
		['3-3 a p "1"'],
	],
	"every Turtle statement has the lines from its first token to its last": [
		turtle,
		`@prefix : <#> .
:ada
  a :Person ;
  :name "Ada" ;
  :motto """long
text"""@EN ;
  :address [
    :city "London" ;
    :zip 5
  ] ;
  :likes ( 1
    2 ) ,
    :tea .
:bob :name "Bob"
 .`,
		[
			...["2-3 ada type Person", '4-4 ada name "Ada"', '5-6 ada motto "long\\ntext"@en'],
			...['7-8 _ city "London"', '9-9 _ zip "5"', "7-10 ada address _"],
			...['11-11 _ first "1"', "12-12 _ rest _", '12-12 _ first "2"', "12-12 _ rest nil"],
			...["11-12 ada likes _", "11-13 ada likes tea", '14-14 bob name "Bob"'],
		],
	],
	"every RDF/XML statement has the lines of its element": [
		rdfXml,
		`<?xml version="1.0"?>
<rdf:RDF ${RDF}
  xmlns="http://x/" xmlns:x="http://x/">
 <Person rdf:about="#ada"
    x:nick="A">
  <name>Ada</name>
  <knows>
    <Person>
      <name
       >Bob</name>
    </Person>
  </knows>
  <likes rdf:resource="#tea"/>
 </Person>
</rdf:RDF>`,
		[
			...["4-5 ada type Person", '4-5 ada nick "A"', '6-6 ada name "Ada"', "8-8 _ type Person"],
			...["7-12 ada knows _", '9-10 _ name "Bob"', "13-13 ada likes tea"],
		],
	],
	"an RDF/XML literal with comments, CDATA and entities stays whole": [
		rdfXml,
		`<!DOCTYPE r [<!ENTITY who "Ada">]><rdf:RDF ${RDF} xmlns="http://x/"><A rdf:about="#a"><p>a<!-- c --> b <![CDATA[& c]]> &who;</p></A></rdf:RDF>`,
		["1-1 a type A", '1-1 a p "a b & c Ada"'],
	],
};

for (const [title, [format, text, statements, ...problems]] of Object.entries(CASES))
	test(title, async () => {
		assert.deepEqual(await statementsIn(format, text), statements);
		assert.deepEqual(await problemsIn(format, text), problems);
	});

test("blank nodes with equal labels before and after an N-Triples error are one node", async () => {
	const { quads } = await parse(nTriples, "_:a <x:p> <x:o> .\nbad\n_:a <x:q> <x:o> .\n_:b <x:q> <x:o> .\n");
	const [before, after, other] = quads.map(({ subject }) => subject.value);
	assert.equal(before, after);
	assert.notEqual(before, other);
});

test("an N-Triples file with over 50 errors is not read to its end, and says so", async () => {
	const problems = await problemsIn(nTriples, "nonsense\n".repeat(1000));
	assert.equal(problems.length, 51);
	assert.match(problems.at(-1) ?? "", /rest of the file is not read/);
});

test("an RDF/XML element with an error is skipped, and other elements are read", async () => {
	const text = `<rdf:RDF ${RDF} xmlns="http://x/">
<Person rdf:about="#a"><bad rdf:bagID="b"><name>lost</name></bad><name>A</name></Person>
<Person rdf:about="#b c"><name>lost</name></Person>
<Person rdf:about="#d"><name>D</name></Person>
</rdf:RDF>`;
	const types = ["2-2 a type Person", "4-4 d type Person"];
	const names = ['2-2 a name "A"', '4-4 d name "D"'];
	assert.deepEqual((await statementsIn(rdfXml, text)).sort(), [names[0], types[0], names[1], types[1]]);
	assertMapped(await problemsIn(rdfXml, text), (problem) => problem.slice(0, 7), ["error 2", "error 3"]);
});

test("an RDF/XML file without XML is reported", async () => {
	assert.match((await problemsIn(rdfXml, "hello"))[0] ?? "", /^error 1 text data outside of root node/);
	assert.match((await problemsIn(rdfXml, ""))[0] ?? "", /^error 1 document must contain a root element/);
});

const RDF_XML = `<rdf:RDF ${RDF} xmlns="http://x/">`;
const declaring = (entities: string, text: string) =>
	`<!DOCTYPE r [${entities}]>${RDF_XML}<A><p>${text}</p></A></rdf:RDF>`;
const laughs = times(10, (n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
const LONG = "a".repeat(100_000);
const NAMESPACES = RDF_XML.replace(">", ` ${times(5000, (n) => `xmlns:n${n}="http://n/${n}"`).join(" ")}>`);

/** The number of statements that are still read, and the problem that is reported. */
type Hostile = readonly [format: Parse, quads: number, text: () => string, problem?: RegExp];

/** Without limits, some libraries need minutes, all memory or the process for each of these files. */
const HOSTILE: Readonly<Record<string, Hostile>> = {
	"10,000 nested nodes": [turtle, 10_001, () => `<x:a> <x:p> ${"[<x:p>".repeat(1e4)}1${"]".repeat(1e4)} .`],
	"10,000 nested lists": [turtle, 19_999, () => `<x:a> <x:p> ${"(".repeat(10_000)}${")".repeat(10_000)} .`],
	"20 MB of literal": [nTriples, 1, () => `<x:a> <x:p> "${"x".repeat(20_000_000)}" .\n<x:b> <x:p> 1 .`, /./],
	"a literal that never ends": [turtle, 0, () => `<x:a> <x:p> """${"x\n".repeat(500_000)}`, /Unexpected/],
	"nothing but brackets": [trig, 0, () => "{".repeat(100_000), /Unexpected/],
	"10,000 similar blank nodes": [turtle, 5000, () => "[ <x:p> [] ] .\n".repeat(5000)],
	"20,000 nested elements": [rdfXml, 999, () => RDF_XML + "<A><p>".repeat(20_000), /nested deeper than 1000/],
	"a billion laughs": [rdfXml, 2, () => declaring(`<!ENTITY l0 "ha">${laughs.join("")}`, "&l10;")],
	"a long repeated entity": [
		rdfXml,
		1,
		() => declaring(`<!ENTITY a "${LONG}">`, "&a;".repeat(1e5)),
		/too long/,
	],
	"an external entity": [rdfXml, 2, () => declaring('<!ENTITY f SYSTEM "file:///x">', "&f;"), /undefined/],
	"5,000 namespaces for 5,000 elements": [
		rdfXml,
		5000,
		() => `${NAMESPACES}${"<A/>".repeat(5000)}</rdf:RDF>`,
	],
	"20,000 nested arrays": [jsonLd, 0, () => "[".repeat(20_000), /nested deeper than 100/],
	"100,000 arrays": [jsonLd, 0, () => `{"x:p":[${"[1],".repeat(100_000)}1]}`, /array of 100000 arrays/],
	"a list of 20,000 items": [jsonLd, 40_001, () => `{"x:p":{"@list":[${times(20_000, Number)}]}}`],
	"3,000 contexts": [
		jsonLd,
		0,
		() => JSON.stringify({ "@context": times(3000, (n) => ({ [`t${n}`]: "x:t" })), t5: 1 }),
		/3000 contexts/,
	],
	"contexts in contexts": [
		jsonLd,
		0,
		() => `${'{"@context":{"t":'.repeat(41)}{}${"}}".repeat(41)}`,
		/on 41 levels/,
	],
	"a cyclic context": [jsonLd, 0, () => `{"@context":{"a":"b:c","b":"a:d"},"a":1}`, /Cyclical/],
	"a million steps up": [jsonLd, 0, () => `{"@id":"${"../".repeat(1_000_000)}","x:p":1}`, /1000000 slashes/],
	"keys named like inherited properties of objects": [
		jsonLd,
		3,
		() => `{"@context":{"@vocab":"x:"},"__proto__":{"a":1},"constructor":2,"toString":3,"hasOwnProperty":4}`,
		/__proto__/,
	],
	"a string of escapes that never ends": [jsonLd, 0, () => `"${"\\\\".repeat(500_000)}`, /does not end/],
};

for (const [name, [format, quads, text, problem]] of Object.entries(HOSTILE))
	test(`${format.name} reads a file with ${name} within its limits`, async () => {
		const document = await parse(format, text());
		assert.equal(document.quads.length, quads);
		if (problem) assert.match(document.problems.map(({ message }) => message).join("\n"), problem);
		else assert.deepEqual(document.problems, []);
	});

/** Canonical form of statements with three words each: `_:x` is a blank node, any other word an IRI. */
function canonicalText(statements: readonly string[]): string[] {
	const iris = statements.map((line) => line.replace(/(?<!\S)(?!_:)\S+/g, "<x:$&>"));
	const { quads } = readTurtle(`${iris.join(" .\n")} .`, { syntax: "N-Triples", base: "x:" });
	return canonicalize(quads).map(toText).sort();
}

function toText({ subject, predicate, object }: Quad): string {
	const write = ({ termType, value }: Term) => (termType === "BlankNode" ? `_:${value}` : value.slice(2));
	return `${write(subject)} ${write(predicate)} ${write(object)}`;
}

const shapes: Record<string, readonly string[]> = {
	"a tree": ["a knows _:1", "_:1 name x", "_:1 address _:2", "_:2 zip 1", "a knows _:3", "_:3 name y"],
	"a list": ["a list _:1", "_:1 first x", "_:1 rest _:2", "_:2 first x", "_:2 rest _:3", "_:3 first x"],
	"a ring with one marked node": ["_:1 p _:2", "_:2 p _:3", "_:3 p _:4", "_:4 p _:1", "_:3 is marked"],
	"a node that refers to itself": ["_:1 p _:1", "_:2 p _:3"],
};

test("blank nodes keep the same distinct labels when they are renamed and their statements are reordered", () => {
	const count = (texts: readonly string[]) => new Set(texts.join(" ").match(/_:\w+/g)).size;
	for (const [shape, statements] of Object.entries(shapes)) {
		const expected = canonicalText(statements);
		assert.equal(count(expected), count(statements), shape);
		for (let turn = 1; turn < statements.length; turn++) {
			const turned = [...statements.slice(turn), ...statements.slice(0, turn)];
			const named = turned.map((statement) => statement.replace(/_:(\d+)/g, (_, n) => `_:${(n * 7) % 13}`));
			assert.deepEqual(canonicalText(named), expected, shape);
			assert.deepEqual(canonicalText(named.toReversed()), expected, shape);
		}
	}
});

test("a statement about one blank node does not change the label of another", () => {
	const before = canonicalText(["_:x name a", "_:y name b"]).find((line) => line.endsWith("name a"));
	assert.ok(canonicalText(["_:x name a", "_:y name b", "_:y age 7"]).includes(before ?? ""));
});

test("blank nodes in long chains, wide stars and many copies get distinct labels", () => {
	for (const statements of [
		times(3000, (n) => `_:${n} rest _:${n + 1}`),
		times(3000, (n) => `_:${n} rest _:${(n + 1) % 3000}`),
		times(3000, (n) => `_:hub item _:${n}`),
		times(3000, (n) => [`_:a${n} address _:b${n}`, `_:b${n} zip 1`]).flat(),
	])
		assert.equal(new Set(canonicalText(statements)).size, statements.length);
});
