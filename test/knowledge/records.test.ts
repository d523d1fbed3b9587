import assert from "node:assert/strict";
import { test } from "node:test";
import { documentOf } from "../support/documents.ts";
import { statementsOf, testStatements } from "../support/statements.ts";

testStatements([
	{
		title: "a row of a CSV file is a thing of the file's name, and its cells are values of its columns",
		file: "w/orders.csv",
		text: "id;Customer;Total;Due date\n1;Ann;10.5;2025-01-02\n\n2;Bob;007;\n",
		states: [
			"2-2 <#row=2> rdf:type <kind:orders>",
			'2-2 <#row=2> name "Ann"',
			'2-2 <#row=2> #id "1"^^xsd:integer',
			'2-2 <#row=2> #Customer "Ann"',
			'2-2 <#row=2> #Total "10.5"^^xsd:decimal',
			'2-2 <#row=2> #Due%20date "2025-01-02"^^xsd:date',
			"4-4 <#row=4> rdf:type <kind:orders>",
			'4-4 <#row=4> name "Bob"',
			'4-4 <#row=4> #id "2"^^xsd:integer',
			'4-4 <#row=4> #Customer "Bob"',
			'4-4 <#row=4> #Total "007"',
		],
	},
	{
		title: "a row whose cells go over lines has all of them, and a column that names it gives no other name",
		file: "w/parts.tsv",
		text: 'Name\tNote\nHorn\t"broke\nin 1912"\nLamp\twhole\n',
		states: [
			"2-3 <#row=2> rdf:type <kind:parts>",
			'2-3 <#row=2> #Name "Horn"',
			'2-3 <#row=2> #Note "broke\nin 1912"',
			"4-4 <#row=3> rdf:type <kind:parts>",
			'4-4 <#row=3> #Name "Lamp"',
			'4-4 <#row=3> #Note "whole"',
		],
	},
	{
		title: "rows without a header have numbered columns",
		file: "w/points.csv",
		text: "1,2.5\n3,4.5\n",
		states: [
			"1-1 <#row=1> rdf:type <kind:points>",
			'1-1 <#row=1> name "1"^^xsd:integer',
			'1-1 <#row=1> #_col.1 "1"^^xsd:integer',
			'1-1 <#row=1> #_col.2 "2.5"^^xsd:decimal',
			"2-2 <#row=2> rdf:type <kind:points>",
			'2-2 <#row=2> name "3"^^xsd:integer',
			'2-2 <#row=2> #_col.1 "3"^^xsd:integer',
			'2-2 <#row=2> #_col.2 "4.5"^^xsd:decimal',
		],
	},
	{
		title: "a Markdown table is about its heading, which is a part of the document",
		file: "w/plan.md",
		text: "# Plan\n\n## 2. Risks:\n\n| Risk | Cost |\n|---|---|\n| **Fire** | 10 |\n| [Flood](#f) | true |\n",
		states: [
			'3-3 <#line=3> name "2. Risks:"',
			"3-3 <#line=3> isPartOf <>",
			"7-7 <#line=7> rdf:type <kind:Risks>",
			'7-7 <#line=7> name "Fire"',
			'7-7 <#line=7> key:Risk "Fire"',
			'7-7 <#line=7> key:Cost "10"^^xsd:integer',
			"7-7 <#line=7> isPartOf <#line=3>",
			"8-8 <#line=8> rdf:type <kind:Risks>",
			'8-8 <#line=8> name "Flood"',
			'8-8 <#line=8> key:Risk "Flood"',
			'8-8 <#line=8> key:Cost "true"^^xsd:boolean',
			"8-8 <#line=8> isPartOf <#line=3>",
			"1-1 <> rdf:type <folder:w>",
			'1-1 <> name "Plan"',
		],
	},
	{
		title: "items are things with their checkboxes, and nested ones are parts of theirs",
		file: "todo.md",
		text: "# Actions\n\n- [x] Fix *it*\n- [ ] Write\n  1. a draft\n     of docs\n",
		states: [
			"3-3 <#line=3> rdf:type <kind:Actions>",
			'3-3 <#line=3> name "Fix it"',
			'3-3 <#line=3> key:done "true"^^xsd:boolean',
			"3-3 <#line=3> isPartOf <>",
			"4-4 <#line=4> rdf:type <kind:Actions>",
			'4-4 <#line=4> name "Write"',
			'4-4 <#line=4> key:done "false"^^xsd:boolean',
			"4-4 <#line=4> isPartOf <>",
			"5-6 <#line=5> rdf:type <kind:Actions>",
			'5-6 <#line=5> name "a draft of docs"',
			"5-6 <#line=5> isPartOf <#line=4>",
			'1-1 <> name "Actions"',
		],
	},
	{
		title: "keys are about the heading above them, and dates in names are stated",
		file: "incidents/2025-07-08-db.md",
		text: "# Outage\n\nSeverity: 2\nOwner: `Ann`\n\n## July 9, 2025\n\n- State: open\n- Ends: 12:30\n\n**Cause:** a *long*\nstory.\n",
		states: [
			'1-1 <> key:date "2025-07-08"^^xsd:date',
			'3-3 <> key:Severity "2"^^xsd:integer',
			'4-4 <> key:Owner "Ann"',
			'6-6 <#line=6> name "July 9, 2025"',
			"6-6 <#line=6> isPartOf <>",
			'6-6 <#line=6> key:date "2025-07-09"^^xsd:date',
			'8-8 <#line=6> key:State "open"',
			'9-9 <#line=6> key:Ends "12:30"',
			'11-12 <#line=6> key:Cause "a long story."',
			"1-1 <> rdf:type <folder:incidents>",
			'1-1 <> name "Outage"',
		],
	},
	{
		title: "sentences, addresses, times, dialogues and links are no keys or items",
		file: "w/prose.md",
		text: "# Prose\n\nThis is so: it goes on.\n\n12:30 we met\n13:30 we left\n\nhttp://a.example\nhttp://b.example\n\nA: x\nB: y\nA: z\nB: x\nA: y\nB: z\n\n- [a](#a)\n- [b](b.md)\n",
		states: ['1-1 <> name "Prose"', "19-19 <> citation <file:///w/b.md>"],
	},
	{
		title: "front matter makes a document one of its folder, but not an index of it",
		file: "people/ann.md",
		text: "---\ntitle: Ann\nteam: Red\n---\nHello.",
		states: ['2-2 <> name "Ann"', '3-3 <> frontmatter:team "Red"', "1-1 <> rdf:type <folder:people>"],
	},
	{
		title: "keys and lists of a plain text are stated",
		file: "w/note.txt",
		text: "Room: 12\nHost: Ann\n\n- tea\n- milk\n",
		states: [
			"4-4 <#line=4> rdf:type <kind:note>",
			'4-4 <#line=4> name "tea"',
			"4-4 <#line=4> isPartOf <>",
			"5-5 <#line=5> rdf:type <kind:note>",
			'5-5 <#line=5> name "milk"',
			"5-5 <#line=5> isPartOf <>",
			'1-1 <> key:Room "12"^^xsd:integer',
			'2-2 <> key:Host "Ann"',
			"1-1 <> rdf:type <folder:w>",
			'1-1 <> name "note.txt"',
		],
	},
	{
		title: "a table of a page has its caption's class, spanning cells, and keys beside values",
		file: "w/page.html",
		text: "<h1>Shop</h1>\n<table><caption>Fruit</caption>\n<tr><th>Name<th>Cost\n<tr><td rowspan=2>Pear<td>1\n<tr><td>2</table>\n<table><tr><th>City<td>Rome</table>\n<dl><dt>Open<dd>daily</dl>",
		states: [
			"4-4 <#line=4> rdf:type <kind:Fruit>",
			'4-4 <#line=4> key:Name "Pear"',
			'4-4 <#line=4> key:Cost "1"^^xsd:integer',
			"4-4 <#line=4> isPartOf <>",
			"5-5 <#line=5> rdf:type <kind:Fruit>",
			'5-5 <#line=5> key:Name "Pear"',
			'5-5 <#line=5> key:Cost "2"^^xsd:integer',
			"5-5 <#line=5> isPartOf <>",
			'6-6 <> key:City "Rome"',
			'7-7 <> key:Open "daily"',
			"1-1 <> rdf:type <folder:w>",
			'1-1 <> name "Shop"',
		],
	},
]);

for (const [heading, date] of [
	["2025-07-08 Review", "2025-07-08"],
	["8 July 2025", "2025-07-08"],
	["On Jul 8th, 2025", "2025-07-08"],
	["Notiz vom 8. Juli 2025", "2025-07-08"],
	["08.07.2025", "2025-07-08"],
	["2025-02-30", undefined],
	["1.2.3.2025", undefined],
	["Version 3 of 2025", undefined],
] as const) {
	test(`the heading "${heading}" states ${date ?? "no date"}`, async () => {
		const states = await statementsOf("a.md", `# ${heading}\n\nText.`);
		const dates = states.filter((each) => each.includes("key:date"));
		assert.deepEqual(dates, date ? [`1-1 <> key:date "${date}"^^xsd:date`] : []);
	});
}

test("records are resources with their names, classes and lines, and no passages", async () => {
	const { resources, passages } = await documentOf("file:///w/a.csv", "Name,Cost\nHorn,1\nLamp,2\n");
	assert.deepEqual(resources, [
		{
			id: "file:///w/a.csv#row=2",
			types: ["urn:copilot-ld:kind:a"],
			label: "Horn",
			lines: { start: 2, end: 2 },
		},
		{
			id: "file:///w/a.csv#row=3",
			types: ["urn:copilot-ld:kind:a"],
			label: "Lamp",
			lines: { start: 3, end: 3 },
		},
	]);
	assert.deepEqual(
		passages.map(({ resource }) => resource),
		[undefined],
	);
});

test("code, notebooks, logs and lock files state no records", async () => {
	const list = "- a\n- b\n\nKey: 1\nOther: 2\n";
	for (const [name, text] of [
		["a.log", list],
		["a.ts", `/*\n${list}*/`],
		["package-lock.json", '{"name": "x"}'],
		["a.ipynb", JSON.stringify({ cells: [{ cell_type: "markdown", source: list }] })],
	] as const)
		assert.deepEqual(await statementsOf(`w/${name}`, text), [], name);
});
