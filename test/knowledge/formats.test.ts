import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument } from "../../src/knowledge/formats.ts";
import { documentOf, readableIn } from "../support/documents.ts";
import { times } from "../support/times.ts";

async function parsed(name: string, text: string) {
	const document = await documentOf(`file:///texts/${name}`, text);
	const { title, quads } = document;
	const shortOf = ({ value }: { value: string }) => value.replace(/.*[/#]/, "");
	const values = quads.map(({ predicate, object, lines }) => [lines.start, shortOf(predicate), object.value]);
	return { title, values: values.map((words) => words.join(" ")), passages: readableIn(document) };
}

test("every row of a CSV table is read with its column names and lines", async () => {
	const rows = Array.from({ length: 100 }, (_, index) => `${index},some name of row ${index}`);
	const { passages } = await parsed("table.csv", ["id,name", ...rows].join("\n"));
	assert.ok(passages.length > 1);
	for (const passage of passages.slice(1))
		assert.match(passage, /^\d+-\d+ table.csv: id: \d+ \| name: some name/);
	assert.match(passages.at(-1) ?? "", /^\d+-101 /);
	const quoted = 'Part;Note\r\nHorn;"broke\r\nin 1912; ""twice"""\r\n\r\nLamp;whole\r\n';
	assert.deepEqual((await parsed("parts.csv", quoted)).passages, [
		'1-5 parts.csv: Part | Note\nPart: Horn | Note: broke in 1912; "twice"\nPart: Lamp | Note: whole',
	]);
});

test("subtitles are read with their time and speaker", async () => {
	const cues = "1\n00:00:01,000 --> 00:00:04,000\nIt <i>sounds</i>\ndaily.\n";
	const { passages } = await parsed("horn.srt", `${cues}\n2\n01:02:03,500 --> 01:02:04,000\nEnd.\n`);
	assert.deepEqual(passages, ["2-8 horn.srt › 00:00:01–01:02:04: It sounds daily.\nEnd."]);
	const vtt =
		"WEBVTT - The horn\nLanguage: en\n\n00:01.000 --> 00:04.000 align:start\n<v Ida>&lt;noise&gt;\n";
	assert.match((await parsed("horn.vtt", vtt)).passages[0] ?? "", /: Ida: <noise>$/);
});

const ADOC = `// A comment
= The *Handbook*
:authors: Ida Fenwick; Per Osterby
:revdate: 2026-03-04
:horn: Osterby horn

The {horn} is in <<horn,its chapter>> and
link:tower.adoc[the tower book].

[[horn]]
== The horn

NOTE: It is _loud_.

.Parts
[cols="1,2"]
|===
|Part |Supplier

|Diaphragm
|Osterby Works
|===

----
horn.sound(*3*)
----

////
silent
////
* one
** two
Boiler:: holds steam
`;

const RST = `============
The Handbook
============

:Author: Ida Fenwick
:Date: 2026-03-04

.. |horn| replace:: Osterby horn
.. _makers: https://example.org/horn

The |horn| is in \`its chapter
<horn.rst>\`_ and by makers_.

The horn
========

.. note:: It is *loud*.

.. A comment that says nothing.

+-----------+---------+
| Part      | Maker   |
+===========+=========+
| Diaphragm | Osterby |
|           | Works   |
+-----------+---------+

Sound it::

   horn.sound(*3*)
`;

const TEX = `\\documentclass{article}
\\newcommand{\\horn}{Osterby horn}
\\title{The \\emph{Handbook}}
\\author{Ida Fenwick\\thanks{Keeper} \\\\ Gannet Rock \\and Per \\"Osterby}
\\date{2026-03-04}
\\begin{document}
\\section{The horn}\\label{horn}
The \\horn{} is by % a comment
\\href{https://example.org/horn}{its makers}, na\\"{\\i}ve.
It costs 5\\,\\% of $E = mc^2$.

\\begin{tabular}{ll}
\\hline
Part & Maker \\\\
Diaphragm & Osterby \\& Works \\\\
\\end{tabular}
\\begin{itemize}
\\item one
\\end{itemize}
\\begin{verbatim}
horn.sound(*3*) % kept
\\end{verbatim}
\\end{document}
`;

const ORG = `#+TITLE: The Handbook
#+AUTHOR: Ida Fenwick
#+DATE: <2026-03-04 Wed>

* TODO The *horn* :loud:
:PROPERTIES:
:Effort: 3 days
:END:
It is /loud/, see [[file:tower.org::*Top][the tower
book]].

| Part      | Maker |
|-----------+-------|
| Diaphragm | Halden |

#+begin_src sh
horn *3*
#+end_src
- Boiler :: holds steam
`;

for (const [name, [text = "", values, ...passages]] of Object.entries({
	"a.adoc": [
		ADOC,
		"2 name The Handbook; 3 author Ida Fenwick; 3 author Per Osterby; 4 dateModified 2026-03-04; 8 citation file:///texts/tower.adoc",
		"7-8 The Handbook: The Osterby horn is in its chapter and the tower book.",
		"13-33 The Handbook › The horn: NOTE: It is loud.\n\nParts\n\nPart | Supplier\n\nDiaphragm\nOsterby Works\n\nhorn.sound(*3*)\n\n* one\n  - two\n- Boiler: holds steam",
	],
	"a.rst": [
		RST,
		"1 name The Handbook; 5 author Ida Fenwick; 6 datePublished 2026-03-04; 9 citation https://example.org/horn; 11 citation file:///texts/horn.rst",
		"11-12 The Handbook: The Osterby horn is in its chapter and by makers.",
		"17-30 The Handbook › The horn: note: It is loud.\n\nPart | Maker\nDiaphragm | Osterby\n| Works\n\nSound it:\n\n   horn.sound(*3*)",
	],
	"a.tex": [
		TEX,
		"3 name The Handbook; 4 author Ida Fenwick; 4 author Per Österby; 5 datePublished 2026-03-04; 9 citation https://example.org/horn",
		"8-21 The Handbook › The horn: The Osterby horn is by its makers, naïve. It costs 5 % of $E = mc^2$.\n\nPart | Maker\nDiaphragm | Osterby & Works\n\n- one\n\nhorn.sound(*3*) % kept",
	],
	"a.org": [
		ORG,
		"1 name The Handbook; 2 author Ida Fenwick; 3 datePublished 2026-03-04; 9 citation file:///texts/tower.org",
		"7-19 The Handbook › TODO The horn :loud:: Effort: 3 days\n\nIt is loud, see the tower book.\n\nPart | Maker\nDiaphragm | Halden\n\nhorn *3*\n\n- Boiler: holds steam",
	],
}))
	test(`${name} is read by sections, without markup and with lines`, async () => {
		const all = await parsed(name, text);
		assert.equal(all.title, "The Handbook");
		assert.equal(all.values.slice(1).join("; "), values);
		assert.deepEqual(all.passages, passages);
	});

const HOSTILE: Readonly<Record<string, readonly string[]>> = {
	"a.adoc": ["\n", "{a}", "|===\n", "<<a", "link:a[", "((", "*a _b `c ", "== a\n", "[[", ":a: {a}\n"],
	"a.rst": [" ", "`a <b", "|a ", ".. a::\n ", " .. a::\n", "+-+-+\n", "a\n=\n", ":a:`", "**a ", "== ==\n"],
	"a.tex": "{ \\begin{a} \\section{ $a \\verb| \\begin{tabular} \\'{ \\item[ \\href{".split(" "),
	"a.org": ["[[a][", "*a /b =c ", "#+begin_src\n", ":a:\n", "<<a", "* a :a:\n", "@@a:", "[fn::"],
	"a.csv": ['"a,', '""', "a,", "\n,", ';"'],
	"a.srt": ["00:00:01,000 --> 00:00:02,000\n", "<v ", "1\n", "{\\a"],
};

for (const [name, pieces] of Object.entries(HOSTILE))
	test(`${name} with markup repeated many times is read to its end`, async () => {
		for (const piece of pieces) {
			const { title } = await parsed(name, piece.repeat(Math.ceil(50_000 / piece.length)));
			assert.notEqual(title, "", piece);
		}
	});

test("the header of a proposal in reStructuredText states title and author", async () => {
	const header = "REP: 106\nTitle: Polled horns\nAuthor: Ida Fenwick\nStatus: Withdrawn\n";
	const { title, values, passages } = await parsed("rep.rst", `${header}\nNote\n====\n\nText.\n`);
	assert.equal(title, "Polled horns");
	assert.deepEqual(values.slice(1), ["2 name Polled horns", "3 author Ida Fenwick"]);
	assert.match(passages.join("\n"), /Polled horns: .*Status: Withdrawn/s);
});

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
