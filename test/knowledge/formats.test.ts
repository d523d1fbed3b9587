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

async function readBook(text: string) {
	const { title, passages, problems } = await documentOf("file:///books/book.ipynb", text);
	return { title, passages: withoutSections(passages), problems };
}

const cells = [
	{ cell_type: "markdown", source: ["# Study\n", "\n", "What it is."] },
	{ cell_type: "code", outputs: [{ text: ["secret"] }], source: ["load()\n", "plot()"] },
	{ cell_type: "markdown", source: ["## Result\n", "It works."] },
];

test("cells are passages under the headings of Markdown cells, on the lines of the file", async () => {
	const { title, passages } = await readBook(JSON.stringify({ cells }, null, 1));
	assert.equal(title, "Study");
	assert.deepEqual(passages, [
		{ title: "Study", text: "What it is.\n\nload()\nplot()", lines: { start: 8, end: 22 } },
		{ title: "Study › Result", text: "It works.", lines: { start: 29, end: 29 } },
	]);
});

test("a broken notebook is a problem, and odd cells are left out", async () => {
	assert.equal((await readBook('{"cells": [')).problems[0]?.severity, "error");
	assert.deepEqual(
		(await readBook('{"cells": [1, null, {"source": {}}, {"cell_type": "code", "source": "ok1"}]}')).passages,
		[{ title: "book.ipynb", text: "ok1", lines: { start: 1, end: 1 } }],
	);
});

async function passagesOf(name: string, text: string) {
	return (await documentOf(`file:///src/${name}`, text)).passages;
}

async function outline(name: string, text: string): Promise<string[]> {
	return (await passagesOf(name, text)).map(({ lines, title }) => `${lines.start}-${lines.end} ${title}`);
}

const body = (indent: string, lines: number) =>
	times(lines, (index) => `${indent}step(${index}, "some words to fill the line");`).join("\n");

test("a passage is not named after a name that is imported over several lines", async () => {
	const text = `import {\n\ttype LegResults,\n\tfuse as join,\n} from "./fuse.ts";\n\nexport function rank() {\n}\n`;
	assert.deepEqual(await outline("a.ts", text), ["1-7 a.ts › export function rank()"]);
});

test("neither imports nor a license are passages of their own, unless there is nothing else", async () => {
	const imports = times(40, (index) => `import {\n\ttype Pump${index},\n} from "./pumps/${index}.ts";`);
	const license = `/*\n * Copyright of the harbour.\n${" * You may keep it as it is.\n".repeat(60)} */\n`;
	const all = await outline("a.ts", `${license}\n${imports.join("\n")}\n\nfunction a(){\n${body("", 20)}\n}`);
	assert.deepEqual(all, ["186-207 a.ts › function a()"]);
	assert.equal((await outline("b.ts", imports[0] ?? "")).length, 1);
});

test("functions that do not fit together are passages of their own, whole, with their comments", async () => {
	const text = `// First.\nfunction a() {\n${body("\t", 20)}\n}\n\n// Second.\nfunction b() {\n${body("\t", 20)}\n}\n`;
	assert.deepEqual(await outline("a.js", text), ["1-23 a.js › function a()", "25-47 a.js › function b()"]);
});

test("a long class is cut at its methods, which are named under it", async () => {
	const method = (name: string) => `    def ${name}(self):\n${body("        ", 25).replaceAll(";", "")}\n`;
	const text = `class Engine:\n    """Doc."""\n\n${method("start")}\n${method("stop")}`;
	assert.deepEqual(await outline("engine.py", text), [
		"1-2 engine.py › class Engine",
		"4-29 engine.py › class Engine › def start(self)",
		"31-56 engine.py › class Engine › def stop(self)",
	]);
});

test("indentation and names are left as they are", async () => {
	const [passage] = await passagesOf("a.py", "\n    def camelCaseName():\n        pass\n");
	assert.equal(passage?.text, "    def camelCaseName():\n        pass");
	assert.deepEqual(passage?.lines, { start: 2, end: 3 });
});
