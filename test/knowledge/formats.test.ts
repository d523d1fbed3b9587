import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument } from "../../src/knowledge/formats.ts";
import { documentOf, readableIn } from "../support/documents.ts";
import { times } from "../support/times.ts";

async function fateOf(name: string, content = "some words\n"): Promise<string> {
	const outcome = await parseDocument(`file:///folder/${name}`, Buffer.from(content));
	return "skipped" in outcome ? outcome.skipped : outcome.format;
}

const FORMATS = {
	...{ "page.html": "html", "PAGE.HTM": "html", "note.md": "markdown", "a%20b.md": "markdown" },
	...{ "log.txt": "text", README: "text", ".gitignore": "text", "table.csv": "table", "paper.tex": "latex" },
	...{ "film.srt": "subtitles", "types.d.ts": "code", Dockerfile: "code", "book.ipynb": "notebook" },
};

test("the format of a file follows from its name, in any case; files of unknown formats are skipped", async () => {
	for (const [name, format] of Object.entries(FORMATS))
		assert.equal(await fateOf(name, format === "notebook" ? '{"cells": []}' : undefined), format, name);
	assert.equal(await fateOf("photo.jpeg"), "no reader for .jpeg files");
	assert.equal(await fateOf("mystery"), "no reader for files named mystery");
});

test("a text file with binary content or over 2,000,000 lines is skipped", async () => {
	assert.equal(await fateOf("fake.txt", "GIF89a\0\0\0"), "its content is binary");
	assert.equal(await fateOf("bomb.txt", "a\n".repeat(2_000_001)), "it has more than 2,000,000 lines");
});

test("a document without text has its file name as title, and no passages", async () => {
	const { title, passages } = await documentOf("file:///folder/Blank%20page.html", "");
	assert.deepEqual([title, passages], ["Blank page.html", []]);
});

const readBook = (text: string) => documentOf("file:///books/book.ipynb", text);

const cells = [
	{ cell_type: "markdown", source: ["# Study\n", "\n", "What it is."] },
	{ cell_type: "code", outputs: [{ text: ["secret"] }], source: ["load()\n", "plot()"] },
	{ cell_type: "markdown", source: ["## Result\n", "It works."] },
];

test("notebook cells become passages under their Markdown headings, with lines of the file", async () => {
	const book = await readBook(JSON.stringify({ cells }, null, 1));
	assert.deepEqual([book.title, book.problems], ["Study", []]);
	const passages = ["8-22 Study: What it is.\n\nload()\nplot()", "29-29 Study › Result: It works."];
	assert.deepEqual(readableIn(book), passages);
	assert.equal((await readBook('{"cells": [')).problems[0]?.severity, "error");
	const odd = await readBook('{"cells": [1, null, {"source": {}}, {"cell_type": "code", "source": "ok1"}]}');
	assert.deepEqual(readableIn(odd), ["1-1 book.ipynb: ok1"]);
});

async function outline(name: string, text: string): Promise<string[]> {
	const { passages } = await documentOf(`file:///src/${name}`, text);
	return passages.map(({ lines, title }) => `${lines.start}-${lines.end} ${title}`);
}

const body = (indent: string, lines: number) =>
	times(lines, (index) => `${indent}step(${index}, "some words to fill the line");`).join("\n");

test("imports and licenses of a code file are passages only if the file has no other code", async () => {
	const imports = times(40, (index) => `import {\n\ttype Pump${index},\n} from "./pumps/${index}.ts";`);
	const license = `/*\n * Copyright of the harbour.\n${" * You may keep it as it is.\n".repeat(60)} */\n`;
	const all = await outline("a.ts", `${license}\n${imports.join("\n")}\n\nfunction a(){\n${body("", 20)}\n}`);
	assert.deepEqual(all, ["186-207 a.ts › function a()"]);
	assert.equal((await outline("b.ts", imports[0] ?? "")).length, 1);
	const few = `${imports[0]}\n\nexport function rank() {\n}\n`;
	assert.deepEqual(await outline("c.ts", few), ["1-6 c.ts › export function rank()"]);
});

test("functions too long for one passage become separate passages with their comments", async () => {
	const text = `// First.\nfunction a() {\n${body("\t", 20)}\n}\n\n// Second.\nfunction b() {\n${body("\t", 20)}\n}\n`;
	assert.deepEqual(await outline("a.js", text), ["1-23 a.js › function a()", "25-47 a.js › function b()"]);
});

test("a long class is cut at its methods, whose titles include the class", async () => {
	const method = (name: string) => `    def ${name}(self):\n${body("        ", 25).replaceAll(";", "")}\n`;
	const text = `class Engine:\n    """Doc."""\n\n${method("start")}\n${method("stop")}`;
	const title = "engine.py › class Engine";
	const methods = [`4-29 ${title} › def start(self)`, `31-56 ${title} › def stop(self)`];
	assert.deepEqual(await outline("engine.py", text), [`1-2 ${title}`, ...methods]);
});
