import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument } from "../../src/knowledge/parseDocument.ts";

async function passagesOf(name: string, text: string) {
	const outcome = await parseDocument(`file:///texts/${name}`, Buffer.from(text));
	assert.ok("document" in outcome);
	return outcome.document.passages;
}

test("the paragraphs of a text stand under the file's name", async () => {
	assert.deepEqual(await passagesOf("a b.txt", "one\n\ntwo\n"), [
		{ title: "a b.txt", text: "one\n\ntwo", lines: { start: 1, end: 3 } },
	]);
});

test("every part of a table is told with the names of its columns", async () => {
	const rows = Array.from({ length: 100 }, (_, index) => `${index},some name of row ${index}`);
	const passages = await passagesOf("table.csv", ["id,name", ...rows].join("\n"));
	assert.ok(passages.length > 1);
	assert.ok(passages.every(({ title }) => title === "table.csv › id,name"));
	assert.deepEqual(passages.at(-1)?.lines.end, 101);
});
