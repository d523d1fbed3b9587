import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { formatCitation, formatPlace } from "../../../src/core/knowledge/citation.ts";
import type { ReadResult } from "../../../src/core/knowledge/knowledge.ts";
import { describeLinks } from "../../../src/worker/answers/links.ts";
import { linesOf, placeIn, targetsOf } from "../../../src/worker/answers/read.ts";
import { createStoreGraph } from "../../../src/worker/answers/storeGraph.ts";
import { graphOf, quadsOf } from "../../graph/sampleGraph.ts";
import { sampleDocument, uriOf } from "../../store/sampleDocument.ts";
import { openTemporary } from "../../store/temporaryStore.ts";
import { times } from "../../support/times.ts";
import { never, PEOPLE, startIndexed } from "../workspace.ts";

const FILES = {
	"docs/lamps.md": "# Lamps\r\n\r\nOil burns.\r\nGas hisses.\r\n",
	"people.html": PEOPLE,
	"story.ttl": '<https://example.org/anna> <https://schema.org/award> "Medal for the rescue of 1902" .\n',
	"picture.png": new Uint8Array([137, 80, 78, 71]),
	"ignored.txt": "secret words\n",
	".gitignore": "ignored.txt\n",
	"gone.md": "# Gone\n",
};

const OFFICE = ["handbook.pdf", "talk.pptx", "costs.xlsx", "handbook.docx"];
const SAMPLES = new URL("../../knowledge/office/samples/", import.meta.url);

const shown = ({ parts }: ReadResult) =>
	parts.map(({ lines: { start, end }, text }) => `${start}-${end} ${text}`);

test("reading a target", async (t) => {
	const bytesOf = (name: string) => new Uint8Array(readFileSync(new URL(name, SAMPLES)));
	const office = Object.fromEntries(OFFICE.map((name) => [name, bytesOf(name)]));
	const { knowledge, workspace } = await startIndexed(t, { ...FILES, ...office });
	await workspace.remove("gone.md");
	const read = (target: string, maxCharacters = 10_000) =>
		knowledge.read({ target, maxCharacters, channel: "chat" }, never);

	await t.test("a path returns the file or a range of lines, and the number of characters", async () => {
		for (const [target, text] of [
			["docs/lamps.md", "1-5 # Lamps\n\nOil burns.\nGas hisses.\n"],
			["docs/lamps.md:3-4", "3-4 Oil burns.\nGas hisses."],
			["[docs/lamps.md:4]", "4-4 Gas hisses."],
			[`${workspace.uri("docs/lamps.md")}:4-99`, "4-5 Gas hisses.\n"],
		] as const)
			assert.deepEqual(shown(await read(target)), [text]);
		const cut = await read("docs/lamps.md", 12);
		assert.deepEqual([shown(cut), cut.truncated, cut.totalCharacters], [["1-2 # Lamps\n"], true, 32]);
	});

	await t.test("searches cite pages, slides and rows, and reading returns the cited text", async () => {
		const find = async (query: string, source: string) => {
			const { hits } = await knowledge.search({ query, sources: [source], channel: "chat" }, never);
			return hits.map(formatCitation).join("\n");
		};
		const horn = await find("How often does the fog horn sound?", "handbook.pdf");
		assert.match(horn, /^\[handbook\.pdf:p2/m);
		assert.match(await find("blasts every ninety seconds", "talk.pptx"), /^\[talk\.pptx:s2\]$/m);
		const rows = await find("What did the diaphragm of Osterby Works cost?", "costs.xlsx");
		assert.match(rows, /^\[costs.xlsx:\w+!A\d+:D\d+\]$/m);
		const [page] = (await read("[handbook.pdf:p3]")).parts;
		assert.match(page?.text ?? "", /^The boat\nSupplies arrive with the cutter Petrel/);
		assert.equal(page && formatCitation(page), "[handbook.pdf:p3]");
		const [row] = (await read("costs.xlsx:costs!A4:D4")).parts;
		assert.match(row?.text ?? "", /Item: Diaphragm/);
		assert.deepEqual((await read("[handbook.pdf:p9]")).parts, []);
		assert.equal((await read("handbook.pdf")).parts.length, 3);
		assert.match((await read("handbook.docx:4-5")).parts[0]?.text ?? "", /^The horn\nThe fog horn sounds/);
	});

	await t.test("an IRI or a label returns the statements of all documents about the resource", async () => {
		const result = await read("https://example.org/anna");
		assert.deepEqual(new Set(result.parts.map(({ path }) => path)), new Set(["people.html", "story.ttl"]));
		for (const fact of [/Keeper of the lamp/, /1902/]) assert.match(shown(result).join("\n"), fact);
		assert.deepEqual(new Set(shown(await read("anna holm"))), new Set(shown(result)));
	});

	await t.test("an unknown name returns suggestions", async () => {
		const result = await read("docs/lamp.md");
		assert.deepEqual([result.parts, result.totalCharacters, result.suggestions[0]], [[], 0, "docs/lamps.md"]);
		assert.ok((await read("Anna Holm of Skagen")).suggestions.includes("https://example.org/anna"));
	});

	await t.test("an unindexed file is not read; an unreadable file fails with the reason", async () => {
		const targets = "ignored.txt ../data/indexer.lock /etc/passwd file:///etc/passwd docs/../ignored.txt";
		for (const target of targets.split(" ")) assert.deepEqual((await read(target)).parts, [], target);

		const message = /^picture\.png is not in the index: /;
		await assert.rejects(read("picture.png"), { code: "NOT_FOUND", message });
		await assert.rejects(read("gone.md"), { code: "NOT_FOUND", message: /deleted after it was indexed/ });
	});
});

const PAGES = [
	{ name: "p1", line: 1, lines: 10 },
	{ name: "p2", line: 11, lines: 5 },
	{ name: "Costs", columns: "B:F", line: 16, lines: 4, first: 7 },
];

const linesAt = (start: number, end: number) => ({ start, end });

for (const [start, end, written, back = linesAt(start, end)] of [
	[3, 4, "p1:3-4"],
	[11, 15, "p2"],
	[12, 12, "p2:2"],
	[9, 13, "p1:9-10", linesAt(9, 10)],
	[17, 17, "Costs!B8:F8"],
	[16, 30, "Costs!B7:F10", linesAt(16, 19)],
] as const)
	test(`lines ${start}-${end} of extracted text convert to the place ${written} and back`, () => {
		const place = placeIn(PAGES, { start, end });
		assert.equal(formatPlace(place), written);
		assert.deepEqual(linesOf(PAGES, place), back);
	});

test("a place that is missing in a document has no lines, and a longer place has only existing lines", () => {
	assert.deepEqual(linesOf(PAGES, { part: "Costs", columns: "C:D", start: 8, end: 99 }), linesAt(17, 19));
	for (const part of ["p3", "Costs"]) assert.equal(linesOf(PAGES, { part, start: 1, end: 1 }), undefined);
});

test("a target may be an IRI, a path with or without lines, a URI or a label", () => {
	for (const [text, ...targets] of [
		["Ada Byron", { name: "Ada Byron" }],
		["<https://example.org/ada>", { name: "https://example.org/ada" }],
		["./docs/a.md", { name: "docs/a.md" }],
		["docs/a.md:3-9", { name: "docs/a.md:3-9" }, { name: "docs/a.md", lines: linesAt(3, 9) }],
		["[docs/a b.md:7]", { name: "docs/a b.md", lines: linesAt(7, 7) }, { name: "docs/a b.md:7" }],
		["x%5D %5B%.md", { name: "x%5D %5B%.md" }, { name: "x] [%.md" }],
		["a.md:9-3", { name: "a.md:9-3" }, { name: "a.md", lines: linesAt(9, 9) }],
		["file:///x/a%28b.md", { name: "file:///x/a(b.md" }],
		["urn:isbn:1", { name: "urn:isbn:1" }, { name: "urn:isbn", lines: linesAt(1, 1) }],
	] as const)
		assert.deepEqual(targetsOf(text), targets, text);
});

const EX = "http://example.org/";

const graph = graphOf({
	"file:///a": `:ada a :Person ; :name "Ada" ; :knows :alan, :grace ; :born 1815 .
:lamp :attendant :ada . [] :owner :ada .`,
	"file:///b": `:grace :name "Grace" . :ada :knows :grace . :lamp :name "Lamp" .
:knows rdfs:label "is acquainted with" .`,
	"file:///c": Array.from({ length: 12 }, (_, index) => `:letter${index} :author :ada .`).join("\n"),
});

test("links of a resource have both directions, labels from any document, no duplicates and full counts", () => {
	const [outgoing, attendant, author, owner, ...others] = describeLinks(graph, `${EX}ada`);
	assert.equal(outgoing, `is acquainted with → <${EX}alan>; Grace <${EX}grace>`);
	assert.equal(attendant, `is the attendant of ← Lamp <${EX}lamp>`);
	assert.match(author ?? "", /^is the author of ← letter0 .*; letter7 <[^;]*> \(and 2 more of 12\)$/);
	assert.match(owner ?? "", /^is the owner of ← _:/);
	assert.deepEqual(others, []);
});

const NUMBERS = quadsOf(times(20_001, (index) => `:a :p ${index} .`).join(" "));

function documentOf(name: string, statements: number) {
	return sampleDocument(name, ["text"], { quads: NUMBERS.slice(0, statements) });
}

async function open(t: TestContext, options: Parameters<typeof createStoreGraph>[1] = {}, size = 20_001) {
	const { store } = await openTemporary(t);
	await store.replace([documentOf("a", size)]);
	return { store, storeGraph: createStoreGraph(store, options) };
}

test("a graph with few unread statements is available at once", async (t) => {
	const { store, storeGraph } = await open(t, {}, 10);
	assert.equal((await storeGraph.soon(never))?.size, 10);
	await store.replace([documentOf("b", 5)]);
	assert.equal((await storeGraph.soon(never))?.size, 15);
	await store.remove([uriOf("a")]);
	assert.equal((await storeGraph.soon(never))?.size, 5);
});

test("each document is read with its own statements, also in several batches", async (t) => {
	const { store, storeGraph } = await open(t);
	const names = times(600, (at) => `${at}.md`);
	await store.replace(names.map((name, at) => documentOf(name, 1 + (at % 3))));
	const graph = await storeGraph.current(never);
	for (const [at, name] of names.entries())
		assert.equal([...graph.match({ document: uriOf(name) })].length, 1 + (at % 3));
});

test("only the first question waits for a larger graph, unless the question is canceled", async (t) => {
	for (const isWriting of [true, false]) {
		const { store, storeGraph } = await open(t, { isWriting: () => isWriting });
		await assert.rejects(storeGraph.soon(AbortSignal.abort()), { name: "AbortError" });
		if (isWriting) storeGraph.catchUp(async () => undefined);
		assert.equal((await storeGraph.soon(never))?.size, 20_001);
		await store.replace([documentOf("b", 20_001)]);
		assert.equal(await storeGraph.soon(never), undefined);
	}
});

for (const [title, options] of [
	["no question waits for a graph that is too large for memory", { isLarge: () => true }],
	["the wait for a large graph is limited, and the graph is read in the background", { patienceMs: 0 }],
] as const)
	test(title, async (t) => {
		const { storeGraph } = await open(t, options);
		const read = Promise.withResolvers<void>();
		assert.equal(await storeGraph.soon(never), undefined);
		storeGraph.catchUp(async () => read.resolve());
		assert.equal(await storeGraph.soon(never), undefined);
		await read.promise;
		assert.equal((await storeGraph.soon(never))?.size, 20_001);
	});

test("during a run, questions wait only for the statements of an edited file", async (t) => {
	const { store, storeGraph } = await open(t, { isWriting: () => true, patienceMs: 0 }, 1001);
	assert.equal(await storeGraph.soon(never), undefined);
	await storeGraph.current(never);
	await store.replace([documentOf("b", 1000)]);
	assert.equal((await storeGraph.soon(never))?.size, 2001);
});

test("background reading ends before the store is closed", async (t) => {
	const { store, storeGraph } = await open(t, {}, 7000);
	await store.replace(["b", "c"].map((name) => documentOf(name, 7000)));
	storeGraph.catchUp(async () => undefined);
	await storeGraph.close();
	const { size } = storeGraph.graph;
	await store.close();
	assert.equal(storeGraph.graph.size, size);
});
