import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRdfXml as rdfXml } from "../../../src/knowledge/rdf/rdfXml.ts";
import { nQuads, nTriples, trig, turtle } from "../../../src/knowledge/rdf/turtle.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { parse, problemsIn, statementsIn } from "./quadText.ts";

const RDF = `xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"`;

for (const [title, format, text, statements, ...problems] of [
	[
		"a broken statement is a problem at its line, and the others are read with the prefixes in force",
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
	[
		"a broken line of N-Quads loses nothing but itself",
		nQuads,
		'<x:a> <x:p> "1" .\n<x:b> <p> "2" .\r\n<x:c> <x:p> "3" <x:g> .\n',
		['1-1 x:a x:p "1"', '3-3 x:c x:p "3" x:g'],
		"error 2 Invalid IRI.",
	],
	[
		"named graphs of TriG are kept, and an error ends the reading: what follows may stand in any of them",
		trig,
		"@prefix : <#> .\n:g {\n:a :p 1 .\n:b :p\n}\n:c :p 2 .\n",
		['3-3 a p "1" g'],
		"error 5 Expected entity but got }.",
	],
	[
		"a statement that is repeated is one",
		nTriples,
		"<x:a> <x:p> <x:b>.\n<x:a> <x:p> <x:b>.",
		["1-1 x:a x:p x:b"],
	],
	[
		"triple terms of RDF 1.2 are left out, with one warning",
		turtle,
		"PREFIX : <#>\n:a :p <<( :b :q :c )>> .\n:d :p <<( :b :q :c )>> .\n:e :p 1 .\n",
		['4-4 e p "1"'],
		"warning 2 Statements with triple terms (RDF 1.2) are left out.",
	],
	[
		"an ontology in Turtle is read as such",
		rdfXml,
		"# Ontology\n@prefix : <#> .\n:a :p 1 .\n",
		['3-3 a p "1"'],
	],
	[
		"every statement has the lines from its first word to its last",
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
			"2-3 ada type Person",
			'4-4 ada name "Ada"',
			'5-6 ada motto "long\\ntext"@en',
			'7-8 _ city "London"',
			'9-9 _ zip "5"',
			"7-10 ada address _",
			'11-11 _ first "1"',
			"12-12 _ rest _",
			'12-12 _ first "2"',
			"12-12 _ rest nil",
			"11-12 ada likes _",
			"11-13 ada likes tea",
			'14-14 bob name "Bob"',
		],
	],
	[
		"every statement has the lines of the element that makes it",
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
			"4-5 ada type Person",
			'4-5 ada nick "A"',
			'6-6 ada name "Ada"',
			"8-8 _ type Person",
			"7-12 ada knows _",
			'9-10 _ name "Bob"',
			"13-13 ada likes tea",
		],
	],
	[
		"a text is whole, with comments, CDATA and entities in it",
		rdfXml,
		`<!DOCTYPE r [<!ENTITY who "Ada">]><rdf:RDF ${RDF} xmlns="http://x/"><A rdf:about="#a"><p>a<!-- c --> b <![CDATA[& c]]> &who;</p></A></rdf:RDF>`,
		["1-1 a type A", '1-1 a p "a b & c Ada"'],
	],
] as const)
	test(title, async () => {
		assert.deepEqual(await statementsIn(format, text), statements);
		assert.deepEqual(await problemsIn(format, text), problems);
	});

test("blank nodes before and after an error are the same where their labels are", async () => {
	const { quads } = await parse(nTriples, "_:a <x:p> <x:o> .\nbad\n_:a <x:q> <x:o> .\n_:b <x:q> <x:o> .\n");
	const [before, after, other] = quads.map(({ subject }) => subject.value);
	assert.equal(before, after);
	assert.notEqual(before, other);
});

test("a file of errors ends with the remark that there are more", async () => {
	const problems = await problemsIn(nTriples, "nonsense\n".repeat(1000));
	assert.equal(problems.length, 51);
	assert.match(problems.at(-1) ?? "", /rest of the file is not read/);
});

test("an element with an error is left out, and the others are read", async () => {
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

test("a file that is no XML is a problem", async () => {
	assert.match((await problemsIn(rdfXml, "hello"))[0] ?? "", /^error 1 text data outside of root node/);
	assert.match((await problemsIn(rdfXml, ""))[0] ?? "", /^error 1 document must contain a root element/);
});
