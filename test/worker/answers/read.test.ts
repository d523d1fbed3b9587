import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { formatCitation } from "../../../src/core/knowledge/citation.ts";
import type { ReadResult } from "../../../src/core/knowledge/knowledge.ts";
import { never, startIn, unheard } from "../workerProcess.ts";
import { makeWorkspace, PEOPLE } from "../workspace.ts";

const STORY = `<!doctype html>
<title>The storm</title>
<article itemscope itemtype="https://schema.org/Person" itemid="https://example.org/anna">
	<p itemprop="award">Medal for the rescue of 1902</p>
</article>
`;

const FILES = {
	"docs/lamps.md": "# Lamps\r\n\r\nOil burns.\r\nGas hisses.\r\n",
	"people.html": PEOPLE,
	"story.html": STORY,
	"picture.png": new Uint8Array([137, 80, 78, 71]),
	"ignored.txt": "secret words\n",
	".gitignore": "ignored.txt\n",
	"gone.md": "# Gone\n",
};

/** Read by programs that are loaded for them. */
const OFFICE = ["handbook.pdf", "talk.pptx", "costs.xlsx", "handbook.docx"];
const SAMPLES = new URL("../../knowledge/office/samples/", import.meta.url);

/** What is shown: `first-last text`. */
const shown = ({ parts }: ReadResult) =>
	parts.map(({ lines, text }) => `${lines.start}-${lines.end} ${text}`);

test("reading", async (t) => {
	const bytesOf = (name: string) => new Uint8Array(readFileSync(new URL(name, SAMPLES)));
	const office = Object.fromEntries(OFFICE.map((name) => [name, bytesOf(name)]));
	const workspace = await makeWorkspace(t, { ...FILES, ...office });
	const { knowledge } = await startIn(t, workspace);
	await knowledge.index({ rebuild: false }, unheard, never);
	await workspace.remove("gone.md");
	const read = (target: string, maxCharacters?: number) =>
		knowledge.read({ target, ...(maxCharacters !== undefined && { maxCharacters }), door: "chat" }, never);

	await t.test("a path gives the file, with lines these lines", async () => {
		for (const [target, text] of [
			["docs/lamps.md", "1-5 # Lamps\n\nOil burns.\nGas hisses.\n"],
			["docs/lamps.md:3-4", "3-4 Oil burns.\nGas hisses."],
			["[docs/lamps.md:4]", "4-4 Gas hisses."],
			[`${workspace.uri("docs/lamps.md")}:4-99`, "4-5 Gas hisses.\n"],
		] as const)
			assert.deepEqual(shown(await read(target)), [text]);
	});

	await t.test("pages, slides and rows are found, cited and read back", async () => {
		const find = async (query: string, source: string) => {
			const { hits } = await knowledge.search({ query, sources: [source], door: "chat" }, never);
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

	await t.test("what is cut is counted", async () => {
		const result = await read("docs/lamps.md", 12);
		assert.deepEqual(shown(result), ["1-2 # Lamps\n"]);
		assert.deepEqual([result.truncated, result.totalCharacters], [true, 32]);
	});

	await t.test("an IRI gives what all documents say about it, and so does its label", async () => {
		const result = await read("https://example.org/anna");
		assert.deepEqual(new Set(result.parts.map(({ path }) => path)), new Set(["people.html", "story.html"]));
		for (const fact of [/Keeper of the lamp/, /1902/]) assert.match(shown(result).join("\n"), fact);
		assert.deepEqual(new Set(shown(await read("anna holm"))), new Set(shown(result)));
	});

	await t.test("what nothing is named has suggestions", async () => {
		const result = await read("docs/lamp.md");
		assert.deepEqual([result.parts, result.totalCharacters, result.suggestions[0]], [[], 0, "docs/lamps.md"]);
		assert.ok((await read("Anna Holm of Skagen")).suggestions.includes("https://example.org/anna"));
	});

	await t.test("a file that is not indexed is not opened", async () => {
		const targets = "ignored.txt ../data/indexer.lock /etc/passwd file:///etc/passwd docs/../ignored.txt";
		for (const target of targets.split(" ")) assert.deepEqual((await read(target)).parts, [], target);
	});

	await t.test("a file that cannot be read says why", async () => {
		const message = /^picture\.png is not in the index: /;
		await assert.rejects(read("picture.png"), { code: "NOT_FOUND", message });
		await assert.rejects(read("gone.md"), { code: "NOT_FOUND", message: /deleted after it was indexed/ });
	});
});
