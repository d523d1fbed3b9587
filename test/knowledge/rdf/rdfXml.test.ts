import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRdfXml as rdfXml } from "../../../src/knowledge/rdf/rdfXml.ts";
import { problemsIn, statementsIn } from "./quadText.ts";

const RDF = `xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"`;

test("every statement has the lines of the element that makes it", async () => {
	const text = `<?xml version="1.0"?>
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
</rdf:RDF>`;
	assert.deepEqual(await statementsIn(rdfXml, text), [
		"4-5 ada type Person",
		'4-5 ada nick "A"',
		'6-6 ada name "Ada"',
		"8-8 _ type Person",
		"7-12 ada knows _",
		'9-10 _ name "Bob"',
		"13-13 ada likes tea",
	]);
});

test("an element with an error is left out, and the others are read", async () => {
	const text = `<rdf:RDF ${RDF} xmlns="http://x/">
<Person rdf:about="#a"><bad rdf:bagID="b"><name>lost</name></bad><name>A</name></Person>
<Person rdf:about="#b c"><name>lost</name></Person>
<Person rdf:about="#d"><name>D</name></Person>
</rdf:RDF>`;
	const statements = await statementsIn(rdfXml, text);
	assert.deepEqual(
		statements.filter((line) => line.includes("name")),
		['2-2 a name "A"', '4-4 d name "D"'],
	);
	assert.deepEqual(
		(await problemsIn(rdfXml, text)).map((problem) => problem.slice(0, 7)),
		["error 2", "error 3"],
	);
});

test("what stands before broken XML is kept", async () => {
	const text = `<rdf:RDF ${RDF} xmlns="http://x/">\n<A rdf:about="#a"><p>1</p></A>\n<A rdf:about="#b"><p>2</q></A>`;
	const statements = await statementsIn(rdfXml, text);
	assert.ok(statements.includes('2-2 a p "1"'));
	assert.ok((await problemsIn(rdfXml, text)).some((problem) => problem.startsWith("error 3")));
});

test("a text is whole, with comments, CDATA and entities in it", async () => {
	const text = `<!DOCTYPE r [<!ENTITY who "Ada">]><rdf:RDF ${RDF} xmlns="http://x/"><A rdf:about="#a"><p>a<!-- c --> b <![CDATA[& c]]> &who;</p></A></rdf:RDF>`;
	assert.ok((await statementsIn(rdfXml, text)).includes('1-1 a p "a b & c Ada"'));
});

test("an ontology in Turtle is read as such", async () => {
	assert.deepEqual(await statementsIn(rdfXml, "# Ontology\n@prefix : <#> .\n:a :p 1 .\n"), ['3-3 a p "1"']);
});

test("a file that is no XML is a problem", async () => {
	assert.match((await problemsIn(rdfXml, "hello"))[0] ?? "", /^error 1 text data outside of root node/);
	assert.match((await problemsIn(rdfXml, ""))[0] ?? "", /^error 1 document must contain a root element/);
});
