import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument } from "../../src/knowledge/formats.ts";
import { documentOf } from "../support/documents.ts";

async function fateOf(name: string, content = "some words\n"): Promise<string> {
	const outcome = await parseDocument(`file:///folder/${name}`, Buffer.from(content));
	return "skipped" in outcome ? outcome.skipped : outcome.format;
}

const fates: Record<string, string> = {
	"page.html": "html",
	"PAGE.HTM": "html",
	"note.md": "markdown",
	"log.txt": "text",
	README: "text",
	"table.csv": "table",
	"paper.tex": "latex",
	"film.srt": "subtitles",
	"types.d.ts": "code",
	Dockerfile: "code",
	".gitignore": "text",
	"book.ipynb": "notebook",
	"a%20b.md": "markdown",
	"photo.jpeg": "no reader for .jpeg files",
	mystery: "no reader for files named mystery",
};

for (const [name, fate] of Object.entries(fates)) {
	test(`the fate of ${name} is: ${fate}`, async () => {
		assert.equal(await fateOf(name, name.endsWith("ipynb") ? '{"cells": []}' : undefined), fate);
	});
}

test("binary content under a name of text is skipped", async () => {
	assert.equal(await fateOf("fake.txt", "GIF89a\0\0\0"), "its content is binary");
});

test("a file of line ends alone is skipped, not kept in memory", async () => {
	assert.equal(await fateOf("bomb.txt", "a\n".repeat(2_000_001)), "it has more than 2,000,000 lines");
});

test("a document without words has its name for a title, and no passages", async () => {
	const { title, passages } = await documentOf("file:///folder/Blank%20page.html", "");
	assert.equal(title, "Blank page.html");
	assert.deepEqual(passages, []);
});

test("the same bytes and the same URI give the same document", async () => {
	const bytes = Buffer.from(
		"<div itemscope><b itemprop=name>A</b></div><div itemscope><b itemprop=name>A</b></div>",
	);
	const [first, second] = await Promise.all([
		parseDocument("file:///a.html", bytes),
		parseDocument("file:///a.html", bytes),
	]);
	assert.deepEqual(first, second);
});
