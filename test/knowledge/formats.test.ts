import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument } from "../../src/knowledge/formats.ts";
import { documentOf } from "../support/documents.ts";
import { withoutSections } from "../support/passages.ts";
import { times } from "../support/times.ts";

async function fateOf(name: string, content = "some words\n"): Promise<string> {
	const outcome = await parseDocument(`file:///folder/${name}`, Buffer.from(content));
	return "skipped" in outcome ? outcome.skipped : outcome.format;
}

for (const [fate, ...files] of [
	["html", "page.html", "PAGE.HTM"],
	["markdown", "note.md", "a%20b.md"],
	["text", "log.txt", "README", ".gitignore"],
	["table", "table.csv"],
	["latex", "paper.tex"],
	["subtitles", "film.srt"],
	["code", "types.d.ts", "Dockerfile"],
	["notebook", "book.ipynb"],
	["no reader for .jpeg files", "photo.jpeg"],
	["no reader for files named mystery", "mystery"],
] as const)
	for (const file of files)
		test(`${file} is handled as: ${fate}`, async () =>
			assert.equal(await fateOf(file, file.endsWith("ipynb") ? '{"cells": []}' : undefined), fate));

test("binary content in a text file, and too many lines, are skipped", async () => {
	assert.equal(await fateOf("fake.txt", "GIF89a\0\0\0"), "its content is binary");
	assert.equal(await fateOf("bomb.txt", "a\n".repeat(2_000_001)), "it has more than 2,000,000 lines");
});

test("a document without text has its file name as title, and no passages", async () => {
	const { title, passages } = await documentOf("file:///folder/Blank%20page.html", "");
	assert.deepEqual([title, passages], ["Blank page.html", []]);
});

async function readBook(text: string) {
	const { title, passages, problems } = await documentOf("file:///books/book.ipynb", text);
	return { title, passages: withoutSections(passages), problems };
}

const cells = [
	{ cell_type: "markdown", source: ["# Study\n", "\n", "What it is."] },
	{ cell_type: "code", outputs: [{ text: ["secret"] }], source: ["load()\n", "plot()"] },
	{ cell_type: "markdown", source: ["## Result\n", "It works."] },
];

test("notebook cells become passages under Markdown headings with lines of the file; invalid cells are skipped", async () => {
	const book = await readBook(JSON.stringify({ cells }, null, 1));
	assert.deepEqual(book, {
		title: "Study",
		passages: [
			{ title: "Study", text: "What it is.\n\nload()\nplot()", lines: { start: 8, end: 22 } },
			{ title: "Study › Result", text: "It works.", lines: { start: 29, end: 29 } },
		],
		problems: [],
	});
	assert.equal((await readBook('{"cells": [')).problems[0]?.severity, "error");
	const odd = await readBook('{"cells": [1, null, {"source": {}}, {"cell_type": "code", "source": "ok1"}]}');
	assert.deepEqual(odd.passages, [{ title: "book.ipynb", text: "ok1", lines: { start: 1, end: 1 } }]);
});

async function outline(name: string, text: string): Promise<string[]> {
	const { passages } = await documentOf(`file:///src/${name}`, text);
	return passages.map(({ lines, title }) => `${lines.start}-${lines.end} ${title}`);
}

const body = (indent: string, lines: number) =>
	times(lines, (index) => `${indent}step(${index}, "some words to fill the line");`).join("\n");

test("imports and licenses are not passages of their own unless there is nothing else", async () => {
	const imports = times(40, (index) => `import {\n\ttype Pump${index},\n} from "./pumps/${index}.ts";`);
	const license = `/*\n * Copyright of the harbour.\n${" * You may keep it as it is.\n".repeat(60)} */\n`;
	const all = await outline("a.ts", `${license}\n${imports.join("\n")}\n\nfunction a(){\n${body("", 20)}\n}`);
	assert.deepEqual(all, ["186-207 a.ts › function a()"]);
	assert.equal((await outline("b.ts", imports[0] ?? "")).length, 1);
	const few = `${imports[0]}\n\nexport function rank() {\n}\n`;
	assert.deepEqual(await outline("c.ts", few), ["1-6 c.ts › export function rank()"]);
});

test("functions that do not fit together become separate passages with their comments", async () => {
	const text = `// First.\nfunction a() {\n${body("\t", 20)}\n}\n\n// Second.\nfunction b() {\n${body("\t", 20)}\n}\n`;
	assert.deepEqual(await outline("a.js", text), ["1-23 a.js › function a()", "25-47 a.js › function b()"]);
});

test("a long class is cut at its methods, whose titles include the class", async () => {
	const method = (name: string) => `    def ${name}(self):\n${body("        ", 25).replaceAll(";", "")}\n`;
	const text = `class Engine:\n    """Doc."""\n\n${method("start")}\n${method("stop")}`;
	assert.deepEqual(await outline("engine.py", text), [
		"1-2 engine.py › class Engine",
		"4-29 engine.py › class Engine › def start(self)",
		"31-56 engine.py › class Engine › def stop(self)",
	]);
});
