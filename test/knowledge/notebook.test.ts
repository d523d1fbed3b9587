import assert from "node:assert/strict";
import { test } from "node:test";
import { documentOf } from "../support/documents.ts";
import { withoutSections } from "../support/passages.ts";

async function parse(text: string) {
	const { title, passages, problems } = await documentOf("file:///books/book.ipynb", text);
	return { title, passages: withoutSections(passages), problems };
}

const cells = [
	{ cell_type: "markdown", source: ["# Study\n", "\n", "What it is."] },
	{ cell_type: "code", outputs: [{ text: ["secret"] }], source: ["load()\n", "plot()"] },
	{ cell_type: "markdown", source: ["## Result\n", "It works."] },
];

test("cells are passages under the headings of Markdown cells, on the lines of the file", async () => {
	const { title, passages } = await parse(JSON.stringify({ cells }, null, 1));
	assert.equal(title, "Study");
	assert.deepEqual(passages, [
		{ title: "Study", text: "What it is.\n\nload()\nplot()", lines: { start: 8, end: 22 } },
		{ title: "Study › Result", text: "It works.", lines: { start: 29, end: 29 } },
	]);
});

test("a notebook on one line is read too", async () => {
	const { passages } = await parse(JSON.stringify({ cells }));
	assert.deepEqual(
		passages.map(({ lines }) => lines),
		[
			{ start: 1, end: 1 },
			{ start: 1, end: 1 },
		],
	);
});

test("a broken notebook is a problem, and odd cells are left out", async () => {
	assert.equal((await parse('{"cells": [')).problems[0]?.severity, "error");
	assert.deepEqual(
		(await parse('{"cells": [1, null, {"source": {}}, {"cell_type": "code", "source": "ok1"}]}')).passages,
		[{ title: "book.ipynb", text: "ok1", lines: { start: 1, end: 1 } }],
	);
});
