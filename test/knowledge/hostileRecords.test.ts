import assert from "node:assert/strict";
import { test } from "node:test";
import { literal, namedNode } from "../../src/core/knowledge/rdf.ts";
import { createRecords } from "../../src/knowledge/records/records.ts";
import { documentOf } from "../support/documents.ts";
import { statementsOf, testStatements } from "../support/statements.ts";
import { times } from "../support/times.ts";

test("a huge cell is cut in its value, and a table of 5,000 columns is read, and wider ones up to there", async () => {
	const { quads } = await documentOf("file:///a.csv", `Name,Text\nA,${"x ".repeat(9000)}\nB,y\n`);
	assert.ok(quads.every(({ object }) => object.value.length <= 2000));
	assert.equal(quads.length, 6);
	const names = times(6000, (index) => `column${index}`);
	const wide = await documentOf("file:///a.csv", `${names}\n${[...names.keys()]}\n`);
	assert.equal(wide.quads.length, 5002);
});

testStatements([
	[
		"a quotation mark that is not closed is a part of its cell",
		"a.csv",
		'Name,Cost\n"Horn,1\nLamp,2\n',
		'2-2 <#row=2> rdf:type <kind:a>; #Name ""Horn"; #Cost "1"^^xsd:integer',
		'3-3 <#row=3> rdf:type <kind:a>; #Name "Lamp"; #Cost "2"^^xsd:integer',
	],
	[
		"keys that are names of every object are keys",
		"a.yaml",
		"constructor: a\n__proto__: b\ntoString:\n  hasOwnProperty: c\n",
		'1-1 <> name "a.yaml"; key:constructor "a"',
		'2-2 <> key:__proto__ "b"',
		"3-3 <> key:toString <#/toString>",
		"3-4 <#/toString> rdf:type <kind:toString>",
		'3-3 <#/toString> name "toString"',
		'4-4 <#/toString> key:hasOwnProperty "c"',
	],
	[
		"ragged rows have the cells that they have",
		"a.csv",
		"Name,Cost,Due\nHorn\nLamp,2\nOil,3,today,more\n",
		'2-2 <#row=2> rdf:type <kind:a>; #Name "Horn"',
		'3-3 <#row=3> rdf:type <kind:a>; #Name "Lamp"; #Cost "2"^^xsd:integer',
		'4-4 <#row=4> rdf:type <kind:a>; #Name "Oil"; #Cost "3"^^xsd:integer; #Due "today"; #_col.4 "more"',
	],
]);

test("JSON is followed down to a depth", async () => {
	const deep = `${'{"a": '.repeat(60)}1${"}".repeat(60)}`;
	assert.ok((await statementsOf("a.json", deep)).length < 40);
	assert.deepEqual(await statementsOf("a.json", `${"[".repeat(5000)}${"]".repeat(5000)}`), []);
});

test("aliases of YAML that hold themselves or multiply end", async () => {
	assert.ok((await statementsOf("a.yaml", "a: &a\n  b: *a\n  c: &c [*a, *c]\n")).length < 10);
	const levels = times(20, (level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`);
	assert.ok((await statementsOf("b.yaml", `l0: &l0 [x]\n${levels.join("\n")}\n`)).length < 2000);
});

test("what has no room is counted, and said", () => {
	const records = createRecords(4);
	const kind = "urn:copilot-ld:kind:Big%20rows";
	for (let number = 1; number <= 9; number++) {
		const subject = namedNode(`urn:${number}`);
		const lines = { start: number, end: number };
		if (records.add({ subject, kind, label: `${number}`, lines }))
			records.state(subject, "urn:p", literal(`${number}`), lines);
	}
	records.skip(kind, 91);
	const empty = { title: "", resources: [], quads: [], passages: [], problems: [] };
	const { quads, resources, problems } = records.addTo(empty);
	assert.deepEqual([quads.length, resources.length], [5, 2]);
	assert.deepEqual(quads.at(-1), {
		subject: namedNode(kind),
		predicate: namedNode("http://rdfs.org/ns/void#entities"),
		object: literal("100", "http://www.w3.org/2001/XMLSchema#integer"),
		lines: { start: 1, end: 1 },
	});
	assert.match(problems[0]?.message ?? "", /2 of 100 records of "Big rows"/);
});

test("a file of rows is the same in pieces, wherever they end", async () => {
	const rows = times(9000, (number) => `${number},"Name of\n${number}",${"x".repeat(400)}\n`);
	const { quads, passages } = await documentOf("file:///a.csv", `id,Name,Note\n${rows.join("")}`);
	assert.equal(quads.length, 4 * rows.length);
	assert.equal(quads.at(-1)?.subject.value, "file:///a.csv#row=9001");
	assert.deepEqual(quads.at(-1)?.lines, { start: 18_000, end: 18_001 });
	assert.equal(passages.at(-1)?.lines.end, 18_001);
	const lines = times(9000, (index) => JSON.stringify({ name: `n${index}`, note: "x".repeat(400) }));
	const json = await documentOf("file:///a.jsonl", lines.join("\n"));
	assert.equal(json.quads.at(-1)?.subject.value, "file:///a.jsonl#line=9000");
	assert.equal(json.quads.length, 3 * lines.length);
});
