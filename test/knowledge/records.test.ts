import assert from "node:assert/strict";
import { test } from "node:test";
import { literal, namedNode, type Quad, quad } from "../../src/core/knowledge/rdf.ts";
import { documentOfText } from "../../src/knowledge/passages/passages.ts";
import { createRecords } from "../../src/knowledge/records/records.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { documentOf } from "../support/documents.ts";
import { times } from "../support/times.ts";

const SHORT: readonly (readonly [string, string])[] = [
	["http://www.w3.org/2001/XMLSchema#", "xsd:"],
	["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:"],
	["http://rdfs.org/ns/void#", "void:"],
	["https://schema.org/", ""],
	["urn:copilot-ld:", ""],
];

/** Statements of a file as `start-end subject property value; property value`; the file itself is `<>`. */
async function statementsOf(name: string, content: string): Promise<string[]> {
	const uri = `file:///${name}`;
	const { quads } = await documentOf(uri, content);
	const subjects = Map.groupBy(
		quads,
		({ subject, lines }) => `${lines.start}-${lines.end} <${shorten(subject.value, uri)}>`,
	);
	return Array.from(
		subjects,
		([head, own]) => `${head} ${own.map((quad) => factText(quad, uri)).join("; ")}`,
	);
}

function factText({ predicate, object }: Quad, uri: string): string {
	const name = shorten(predicate.value, uri);
	if (object.termType !== "Literal") return `${name} <${shorten(object.value, uri)}>`;
	const type = shorten(object.datatype, uri);
	return `${name} "${object.value}"${type === "xsd:string" ? "" : `^^${type}`}`;
}

function shorten(iri: string, uri: string): string {
	return SHORT.reduce((text, [long, short]) => text.replace(long, short), iri.replace(uri, ""));
}

/** By title: a file, its text, and the statements of the file. */
const RECORDS: Readonly<Record<string, readonly [file: string, text: string, ...states: string[]]>> = {
	"a row of a CSV file belongs to a class named after the file, and its cells are properties": [
		"w/orders.csv",
		"id;Customer;Total;Due date\n1;Ann;10.5;2025-01-02\n\n2;Bob;007;\n",
		'2-2 <#row=2> rdf:type <kind:orders>; name "Ann"; #id "1"^^xsd:integer; #Customer "Ann"; #Total "10.5"^^xsd:decimal; #Due%20date "2025-01-02"^^xsd:date',
		'4-4 <#row=4> rdf:type <kind:orders>; name "Bob"; #id "2"^^xsd:integer; #Customer "Bob"; #Total "007"',
	],
	"a CSV row whose cells span lines has all its lines, and a Name column adds no second name": [
		"w/parts.tsv",
		'Name\tNote\nHorn\t"broke\nin 1912"\nLamp\twhole\n',
		'2-3 <#row=2> rdf:type <kind:parts>; #Name "Horn"; #Note "broke\nin 1912"',
		'4-4 <#row=3> rdf:type <kind:parts>; #Name "Lamp"; #Note "whole"',
	],
	"CSV rows without a header have numbered columns": [
		"w/points.csv",
		"1,2.5\n3,4.5\n",
		'1-1 <#row=1> rdf:type <kind:points>; name "1"^^xsd:integer; #_col.1 "1"^^xsd:integer; #_col.2 "2.5"^^xsd:decimal',
		'2-2 <#row=2> rdf:type <kind:points>; name "3"^^xsd:integer; #_col.1 "3"^^xsd:integer; #_col.2 "4.5"^^xsd:decimal',
	],
	"rows of a Markdown table belong to a class named after their heading, which is part of the document": [
		"w/plan.md",
		"# Plan\n\n## 2. Risks:\n\n| Risk | Cost |\n|---|---|\n| **Fire** | 10 |\n| [Flood](#f) | true |\n",
		'3-3 <#line=3> name "2. Risks:"; isPartOf <>',
		'7-7 <#line=7> rdf:type <kind:Risks>; name "Fire"; key:Risk "Fire"; key:Cost "10"^^xsd:integer; isPartOf <#line=3>',
		'8-8 <#line=8> rdf:type <kind:Risks>; name "Flood"; key:Risk "Flood"; key:Cost "true"^^xsd:boolean; isPartOf <#line=3>',
		'1-1 <> name "Plan"; rdf:type <folder:w>',
	],
	"list items are resources with their checkboxes, and nested items are parts of their list items": [
		"todo.md",
		"# Actions\n\n- [x] Fix *it*\n- [ ] Write\n  1. a draft\n     of docs\n",
		'3-3 <#line=3> rdf:type <kind:Actions>; name "Fix it"; key:done "true"^^xsd:boolean; isPartOf <>',
		'4-4 <#line=4> rdf:type <kind:Actions>; name "Write"; key:done "false"^^xsd:boolean; isPartOf <>',
		'5-6 <#line=5> rdf:type <kind:Actions>; name "a draft of docs"; isPartOf <#line=4>',
		'1-1 <> name "Actions"',
	],
	"keys in Markdown describe the heading above them, and dates in names become statements": [
		"incidents/2025-07-08-db.md",
		"# Outage\n\nSeverity: 2\nOwner: `Ann`\n\n## July 9, 2025\n\n- State: open\n- Ends: 12:30\n\n**Cause:** a *long*\nstory.\n",
		'1-1 <> name "Outage"; key:date "2025-07-08"^^xsd:date; rdf:type <folder:incidents>',
		'3-3 <> key:Severity "2"^^xsd:integer',
		'4-4 <> key:Owner "Ann"',
		'6-6 <#line=6> name "July 9, 2025"; isPartOf <>; key:date "2025-07-09"^^xsd:date',
		'8-8 <#line=6> key:State "open"',
		'9-9 <#line=6> key:Ends "12:30"',
		'11-12 <#line=6> key:Cause "a long story."',
	],
	"sentences, addresses, times, dialogues and links are neither keys nor items": [
		"w/prose.md",
		"# Prose\n\nThis is so: it goes on.\n\n12:30 we met\n13:30 we left\n\nhttp://a.example\nhttp://b.example\n\nA: x\nB: y\nA: z\nB: x\nA: y\nB: z\n\n- [a](#a)\n- [b](b.md)\n",
		'1-1 <> name "Prose"',
		"19-19 <> citation <file:///w/b.md>",
	],
	"keys and lists of plain text become statements": [
		"w/note.txt",
		"Room: 12\nHost: Ann\n\n- tea\n- milk\n",
		'4-4 <#line=4> rdf:type <kind:note>; name "tea"; isPartOf <>',
		'5-5 <#line=5> rdf:type <kind:note>; name "milk"; isPartOf <>',
		'1-1 <> key:Room "12"^^xsd:integer; rdf:type <folder:w>; name "note.txt"',
		'2-2 <> key:Host "Ann"',
	],
	"a table in HTML has the class of its caption, spanning cells, and header cells as keys": [
		"w/page.html",
		"<h1>Shop</h1>\n<table><caption>Fruit</caption>\n<tr><th>Name<th>Cost\n<tr><td rowspan=2>Pear<td>1\n<tr><td>2</table>\n<table><tr><th>City<td>Rome</table>\n<dl><dt>Open<dd>daily</dl>",
		'4-4 <#line=4> rdf:type <kind:Fruit>; key:Name "Pear"; key:Cost "1"^^xsd:integer; isPartOf <>',
		'5-5 <#line=5> rdf:type <kind:Fruit>; key:Name "Pear"; key:Cost "2"^^xsd:integer; isPartOf <>',
		'6-6 <> key:City "Rome"',
		'7-7 <> key:Open "daily"',
		'1-1 <> rdf:type <folder:w>; name "Shop"',
	],
	"the head of a page without linked data becomes facts": [
		"page.html",
		'<title>My page</title>\n<meta name="description" content="All of it">\n<meta name=keywords content="a, b">\n<meta name="og:type" content="article">\n<meta name=viewport content="x">',
		'1-1 <> name "My page"',
		'2-2 <> description "All of it"',
		'3-3 <> keywords "a"; keywords "b"',
		'4-4 <> http://ogp.me/ns#type "article"',
	],
	"the only object of a JSON file is the document itself, and nested objects have JSON pointers": [
		"w/package.json",
		'{\n "name": "x",\n "files": ["a", "2020-01-01"],\n "empty": null,\n "a/b c": {\n  "n": 1.5,\n  "quoted": "7"\n }\n}',
		'2-2 <> key:name "x"',
		'3-3 <> key:files "a"; key:files "2020-01-01"^^xsd:date',
		"5-5 <> key:a%2Fb%20c <#/a~1b%20c>",
		"5-8 <#/a~1b%20c> rdf:type <kind:a%2Fb%20c>",
		'5-5 <#/a~1b%20c> name "a/b c"',
		'6-6 <#/a~1b%20c> key:n "1.5"^^xsd:decimal',
		'7-7 <#/a~1b%20c> key:quoted "7"',
	],
	"objects of a JSON array belong to a class named after the file": [
		"w/people.json",
		'[\n{"id": 1, "first": "Ann"},\n{"id": 2, "first": "Bob"}\n]',
		'2-2 <#/0> rdf:type <kind:people>; name "Ann"; key:id "1"^^xsd:integer; key:first "Ann"',
		'3-3 <#/1> rdf:type <kind:people>; name "Bob"; key:id "2"^^xsd:integer; key:first "Bob"',
	],
	"an object in JSON Lines has the IRI of its line": [
		"w/log.jsonl",
		'{"who":"Ann","at":{"city":"Rome"}}\nnot json\n{"who":"Bob"}\n',
		'1-1 <#line=1> rdf:type <kind:log>; name "Ann"; key:who "Ann"; key:at <#line=1/at>',
		'1-1 <#line=1/at> rdf:type <kind:at>; name "at"; key:city "Rome"',
		'3-3 <#line=3> rdf:type <kind:log>; name "Bob"; key:who "Bob"',
	],
	"similar objects of a YAML map are resources with their keys as names, and with merged members": [
		"w/services.yaml",
		"web: &w\n  port: 80\n  up: true\ndb:\n  <<: *w\n  port: '5432'\n",
		"1-3 <#/web> rdf:type <kind:services>",
		'1-1 <#/web> name "web"',
		'2-2 <#/web> key:port "80"^^xsd:integer',
		'3-3 <#/web> key:up "true"^^xsd:boolean',
		"4-6 <#/db> rdf:type <kind:services>",
		'4-4 <#/db> name "db"',
		'6-6 <#/db> key:port "5432"',
		'3-3 <#/db> key:up "true"^^xsd:boolean',
	],
	"tables of TOML are resources": [
		"w/conf.toml",
		'title = "T" # note\n[owner]\nborn = 1979-05-27\n[[servers]]\nip = "a"\nports = [\n  80, # web\n  443,\n]\n',
		'1-1 <> key:title "T"',
		"2-2 <> key:owner <#/owner>",
		"2-3 <#/owner> rdf:type <kind:owner>",
		'2-2 <#/owner> name "owner"',
		'3-3 <#/owner> key:born "1979-05-27"^^xsd:date',
		"4-4 <> key:servers <#/servers/0>",
		"4-9 <#/servers/0> rdf:type <kind:servers>",
		'5-5 <#/servers/0> name "a"; key:ip "a"',
		'6-9 <#/servers/0> key:ports "80"^^xsd:integer; key:ports "443"^^xsd:integer',
	],
	"an unclosed quotation mark in CSV is part of its cell": [
		"a.csv",
		'Name,Cost\n"Horn,1\nLamp,2\n',
		'2-2 <#row=2> rdf:type <kind:a>; #Name ""Horn"; #Cost "1"^^xsd:integer',
		'3-3 <#row=3> rdf:type <kind:a>; #Name "Lamp"; #Cost "2"^^xsd:integer',
	],
	"YAML keys named like inherited properties of objects are normal keys": [
		"a.yaml",
		"constructor: a\n__proto__: b\ntoString:\n  hasOwnProperty: c\n",
		'1-1 <> name "a.yaml"; key:constructor "a"',
		'2-2 <> key:__proto__ "b"',
		"3-3 <> key:toString <#/toString>",
		"3-4 <#/toString> rdf:type <kind:toString>",
		'3-3 <#/toString> name "toString"',
		'4-4 <#/toString> key:hasOwnProperty "c"',
	],
	"CSV rows with too few or too many cells keep their cells": [
		"a.csv",
		"Name,Cost,Due\nHorn\nLamp,2\nOil,3,today,more\n",
		'2-2 <#row=2> rdf:type <kind:a>; #Name "Horn"',
		'3-3 <#row=3> rdf:type <kind:a>; #Name "Lamp"; #Cost "2"^^xsd:integer',
		'4-4 <#row=4> rdf:type <kind:a>; #Name "Oil"; #Cost "3"^^xsd:integer; #Due "today"; #_col.4 "more"',
	],
};

for (const [title, [file, text, ...states]] of Object.entries(RECORDS))
	test(title, async () => assert.deepEqual((await statementsOf(file, text)).sort(), states.toSorted()));

test("a date in a heading becomes a statement in several spellings", async () => {
	for (const [heading, date] of [
		["2025-07-08 Review", "2025-07-08"],
		["On Jul 8th, 2025", "2025-07-08"],
		["Notiz vom 8. Juli 2025", "2025-07-08"],
		["08.07.2025", "2025-07-08"],
		["2025-02-30", undefined],
		["1.2.3.2025", undefined],
		["Version 3 of 2025", undefined],
	] as const) {
		const [states] = await statementsOf("a.md", `# ${heading}\n\nText.`);
		const expected = date ? `; key:date "${date}"^^xsd:date` : "";
		assert.equal(states, `1-1 <> name "${heading}"${expected}`);
	}
});

test("records are resources with names, classes and lines, but not passages", async () => {
	const { resources, passages } = await documentOf("file:///a.csv", "Name,Cost\nHorn,1\nLamp,2\n");
	assertMapped(resources, ({ id, types, label, lines }) => [id, ...types, label, lines.start, lines.end], [
		["file:///a.csv#row=2", "urn:copilot-ld:kind:a", "Horn", 2, 2],
		["file:///a.csv#row=3", "urn:copilot-ld:kind:a", "Lamp", 3, 3],
	]);
	assertMapped(passages, ({ resource }) => resource, [undefined]);
});

test("code, notebooks, logs and lock files contain no records", async () => {
	const list = "- a\n- b\n\nKey: 1\nOther: 2\n";
	const book = JSON.stringify({ cells: [{ cell_type: "markdown", source: list }] });
	for (const [name, text] of Object.entries({ "a.log": list, "a.ts": `/*\n${list}*/`, "a.ipynb": book }))
		assert.deepEqual(await statementsOf(`w/${name}`, text), [], name);
	assert.deepEqual(await statementsOf("w/package-lock.json", '{"name": "x"}'), []);
});

test("long CSV cells are shortened, and at most 5,000 columns are read", async () => {
	const { quads } = await documentOf("file:///a.csv", `Name,Text\nA,${"x ".repeat(9000)}\nB,y\n`);
	assert.ok(quads.every(({ object }) => object.value.length <= 2000));
	assert.equal(quads.length, 6);
	const names = times(6000, (index) => `column${index}`);
	const wide = await documentOf("file:///a.csv", `${names}\n${[...names.keys()]}\n`);
	assert.equal(wide.quads.length, 5002);
});

test("JSON is read up to a maximum depth", async () => {
	const deep = `${'{"a": '.repeat(60)}1${"}".repeat(60)}`;
	assert.ok((await statementsOf("a.json", deep)).length < 40);
	assert.deepEqual(await statementsOf("a.json", `${"[".repeat(5000)}${"]".repeat(5000)}`), []);
});

test("recursive and exponential YAML aliases are limited", async () => {
	assert.ok((await statementsOf("a.yaml", "a: &a\n  b: *a\n  c: &c [*a, *c]\n")).length < 10);
	const levels = times(20, (level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`);
	assert.ok((await statementsOf("b.yaml", `l0: &l0 [x]\n${levels.join("\n")}\n`)).length < 2000);
});

test("records over the limit are counted, and reported as a problem", () => {
	const records = createRecords(4);
	const kind = "urn:copilot-ld:kind:Big%20rows";
	const lines = { start: 1, end: 1 };
	for (let number = 1; number <= 9; number++) {
		const subject = namedNode(`urn:${number}`);
		if (records.add({ subject, kind, label: "", lines })) records.state(subject, "urn:p", literal(""), lines);
	}
	records.skip(kind, 91);
	const { quads, resources, problems } = records.addTo(documentOfText("", []));
	assert.deepEqual([quads.length, resources.length], [5, 2]);
	const count = literal("100", "http://www.w3.org/2001/XMLSchema#integer");
	assert.deepEqual(quads.at(-1), quad(namedNode(kind), "http://rdfs.org/ns/void#entities", count, lines));
	assert.match(problems[0]?.message ?? "", /2 of 100 records of "Big rows"/);
});

test("a large CSV or JSON Lines file is read to its end, with the right lines", async () => {
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
