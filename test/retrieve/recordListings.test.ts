import assert from "node:assert/strict";
import { test } from "node:test";
import { createGraph } from "../../src/graph/facts/graph.ts";
import { createNameIndex } from "../../src/graph/facts/nameIndex.ts";
import { listThings } from "../../src/retrieve/listing/listThings.ts";
import { documentOf } from "../support/documents.ts";

/** A folder that is called like one of its tables. */
const FILES = {
	"boats/boats.csv": `name,built,length m,price EUR,harbour,stock
Sandpiper,1987,7.4,18500,Wexmouth,0
Gannet,2004,9.1,42000,Port Ellery,2
Dunlin,1999,6.2,12900,Wexmouth,1
Petrel,2016,8.3,51000,Wexmouth,0
`,
	"boats/harbour.md": `# Harbour day

## To do
- [x] print the map
- [ ] borrow the big tent
- [ ] ask Maud for the key

## Helpers

| who | task | from |
|---|---|---|
| Maud | crane | 08:00 |
| Tobias | tickets | 09:30 |
`,
	"boats/crew.json": `[{ "name": "Ada Holm", "boat": "Gannet", "paid_by": "Maud", "joined": "2021-05-02" },
{ "name": "Ole Krag", "boat": "Petrel", "paid_by": "Tobias", "joined": "2019-03-11" }]
`,
	"boats/rib.md": "# Inflatable boat\n\nSeats 6 · 45 minutes\n\nReady soon.\n",
	"boats/tender.md": "# Old tender\n\nSeats 4 · 1 h 30 min · Skipper: Ida Moss\n\nReady late.\n",
	"boats/classes.html":
		'<div itemscope itemtype="https://schema.org/Course" itemid="https://a.example/classes#knots"><b itemprop="name">Knots</b></div>\n<div itemscope itemtype="https://schema.org/Course" itemid="https://a.example/classes#tides"><b itemprop="name">Tides</b></div>\n',
	"boats/helpers.csv": "who,task\nTobias,tickets\nNils,music\n",
};

/** What is listed, each with its lines; nothing where a number could be wrong. */
const ASKED: Readonly<Record<string, string>> = {
	"How many boats are there?": "Dunlin 4, Gannet 3, Petrel 5, Sandpiper 2",
	"Which boats are in Wexmouth?": "Dunlin 4, Petrel 5, Sandpiper 2",
	"Which boats are not in Wexmouth?": "Gannet 3",
	"Which boats are out of stock?": "Petrel 5, Sandpiper 2",
	"How many boats cost more than 15,000 €?": "Gannet 3, Petrel 5, Sandpiper 2",
	"Which boats were built before 2000?": "Dunlin 4, Sandpiper 2",
	"Which boat was built last?": "Petrel 5",
	"What is the cheapest boat in Wexmouth?": "Dunlin 4",
	"Which is longer, the Gannet or the Petrel?": "Gannet 3, Petrel 5",
	"Is the Petrel more expensive than the Gannet?": "Petrel 5, Gannet 3",
	"Which takes longer to make ready, the tender or the inflatable boat?": "Old tender 3, Inflatable boat 3",
	"Which classes are there?": "Knots 1, Tides 2",
	"What is still to do for the harbour day?": "ask Maud for the key 6, borrow the big tent 5",
	"What did Maud pay for?": "Ada Holm 1",
	"Which boats are red?": "",
	"Which boats will be sold next year?": "",
	"How many boats cost more than the Gannet?": "",
	"How many sails do the boats have?": "",
	// Tobias stands in two tables: nobody knows whether it is one helper.
	"How many helpers are there?": "",
};

test("of a table that is too large for the graph all rows are counted, and none are listed by what they say", async () => {
	const graph = createGraph();
	const kind = "urn:copilot-ld:kind:parcels";
	const rows = ["a", "b"].map(
		(name, index) => `<#row=${index + 2}> a <${kind}> ; <#name> "${name}" ; <#state> "lost" .`,
	);
	const { quads } = await documentOf(
		"file:///parcels.ttl",
		`@base <file:///parcels.ttl> .\n${rows.join("\n")}\n<${kind}> <http://rdfs.org/ns/void#entities> 40 .`,
	);
	graph.replace("file:///parcels.ttl", quads);
	const names = createNameIndex(graph);
	await names.refresh();
	const cite = (path: string, lines: { start: number; end: number }) => ({ path, lines });
	const totals = ["How many parcels are there?", "How many parcels are lost?", "Which parcels are lost?"].map(
		(question) => listThings(question, { graph, names, cite })?.total,
	);
	assert.deepEqual(totals, [40, undefined, undefined]);
});

test("rows, items and objects are listed by what they stand under, with their own lines", async () => {
	const graph = createGraph();
	for (const [path, text] of Object.entries(FILES)) {
		const uri = `file:///${path}`;
		const { quads } = await documentOf(uri, text);
		graph.replace(uri, quads);
	}
	const names = createNameIndex(graph);
	await names.refresh();
	const cite = (path: string, lines: { start: number; end: number }) => ({ path, lines });
	const listed = Object.keys(ASKED).map((question) => {
		const { items = [] } = listThings(question, { graph, names, cite }) ?? {};
		return [question, items.map(({ label, citation }) => `${label} ${citation.lines.start}`).join(", ")];
	});
	assert.deepEqual(Object.fromEntries(listed), ASKED);
});
