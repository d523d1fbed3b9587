import assert from "node:assert/strict";
import { test } from "node:test";
import { wordList } from "../../src/base/words/wordList.ts";
import type { ParsedDocument } from "../../src/core/knowledge/document.ts";
import { parseDocument } from "../../src/knowledge/formats.ts";
import { decodeText } from "../../src/knowledge/passages/decodeText.ts";
import { documentOfText, MAX_PASSAGE } from "../../src/knowledge/passages/passages.ts";
import { countLines } from "../../src/knowledge/passages/source.ts";
import { createDice } from "../support/random.ts";

/** Number of mutants per file. */
const MUTANTS = 80;

const files: Record<string, string> = {
	"a.html": `<html vocab="https://schema.org/" prefix="ex: https://example.org/"><head><title>Shop</title><meta property="og:type" content="x">
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Store", "name": "Shop"}</script></head>
<body><h1>Shop</h1><div itemscope itemtype="https://schema.org/Person" itemid="#a" itemref="r"><b itemprop="name">Ada</b>
<a itemprop="url" href="a/b?c#d">x</a><time itemprop="birthDate" datetime="1815-12-10">then</time></div><p id="r" itemprop="note">n</p>
<ul><li typeof="Offer" resource="#o"><i property="price">3</i></li></ul><table><tr><td>1<td>2</table><pre>code</pre></body></html>`,
	"a.md": `---\ntitle: Guide\ntags: [a, b]\nmore: {x: 1}\n---\n# One\n\nSee [b](b.md "t") and [[Note|n]] \`c\`.\n\n- a\n  - b\n\n|a|b|\n|-|-|\n|1|2|\n\n> quote\n\n\`\`\`js\nx\n\`\`\`\n\n## Two\n<div>html</div>\n\n[r]: http://x\n`,
	"a.txt": "One line.\n\nAnother line, with words.\nAnd more.\n",
	"a.csv": "id,name\n1,Ada\n2,Bob\n",
	"a.tsv": 'id\tname\n1\t"Ada\n Byron"\n2\tBob\n',
	"a.adoc":
		'= T: *x*\nA B <a@b>; C\nv1, 2020-01-01\n:a: {b} \\\nc\n:b: {a}\n\n[[x]]\n== One\n\nSee link:b.adoc[b], <<x,y>> and footnote:[z].\n\n[cols="1,2"]\n|===\n|a 2+|b\n|c\n|===\n\n----\nx\n----\n\nT\n---\n\n* a\n** b\nt:: d\n+\nm\n',
	"a.rst":
		"===\nTop\n===\n\n:Author: A\n\n.. |x| replace:: y\n.. _b: http://b\n\nSee `a <b>`_, b_ and |x|::\n\n  lit\n\nTwo\n---\n\n+---+---+\n| a | b |\n+---+---+\n\n== ==\na  b\n== ==\n1  2\n== ==\n\n.. note:: n\n   m\n\n.. list-table::\n\n   * - a\n     - b\n\n- i\n",
	"a.tex":
		"\\newcommand{\\x}{y\\x}\n\\title{T \\x}\\author{A\\and B}\n\\begin{document}\n\\section{S \\textbf{b}}\nIt's \\x, \\'e \\href{http://a}{b} $a$ % c\n\nP\\footnote{f}.\n\\begin{tabular}{l}a & b \\\\ c\\end{tabular}\n\\begin{verbatim}\nv\n\\end{verbatim}\n\\begin{itemize}\\item[a] b\\end{itemize}\\verb|v|\n\\end{document}\n",
	"a.org":
		"#+TITLE: T\n#+DATE: <2020-01-01>\n* TODO One :t:\n:PROPERTIES:\n:K: v\n:END:\nSee [[file:b.org][b]] *x* [fn:1].\n\n| a | b |\n|---|---|\n\n#+begin_src x\ny\n#+end_src\n- a :: b\n: fixed\n",
	"a.vtt":
		"WEBVTT - T\nLanguage: en\n\n00:01.000 --> 00:02.000\n<v A>one &amp; <i>two</i>\n\n1\n00:00:03,000 --> 00:00:04,000\nthree\n",
	"a.ts":
		"import { a } from './a.ts';\n\n/** Doc. */\nexport class A {\n\trun() {\n\t\treturn 1;\n\t}\n\n\tstop() {}\n}\n",
	"a.ipynb":
		'{\n"cells": [\n{"cell_type": "markdown",\n"source": [\n"# A\\n",\n"b"\n]\n},\n{"cell_type": "code", "source": "c"}\n]\n}\n',
	"a.jsonld": `{"@context": ["https://schema.org", {"x": "http://x/", "l": {"@id": "x:l", "@container": "@list"}, "m": {"@id": "x:m", "@container": "@language"}}],\n"@id": "#a", "@type": ["Person", "x:T"], "name": "A\\n", "l": [1, 2.5, {"@value": "v", "@type": "x:t"}], "m": {"en": "a"}, "@reverse": {"knows": {"@id": "_:b"}}}`,
	"a.ttl": `@prefix : <http://x/> .\n:ada a :Person ; :name "Ada"@en , 'A' ; :knows [ :name """Bob\n""" ; :age 5.5e1 ] ;\n  :likes ( 1 true <tea> ) .\n_:b <p> "x"^^:t .\n`,
	"a.trig": `PREFIX : <http://x/>\n:g { :a :p _:b . _:b :q "\\u00e9" }\nGRAPH _:h { [] :r ( ) } :c :p -1 .\n`,
	"a.nt": '<http://a> <http://b> "c"^^<http://d> .\n_:x <http://b> <http://c> .\n',
	"a.nq": `<x:a> <x:p> "1"^^<x:t> <x:g> .\n_:a <x:p> "\\n"@en-GB .\n# comment\n<x:a> <x:p> _:a _:g .\n`,
	"a.rdf": `<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY e "http://x/">]>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://x/" xml:base="http://x/">\n<A rdf:about="&e;a"><p xml:lang="en">1 &lt; 2</p><q rdf:parseType="Collection"><B/><B rdf:ID="b"/></q><r rdf:resource="#c" rdf:ID="s"/></A>\n</rdf:RDF>`,
};

const poison = [
	..."\n.. x::\n   ,\n|===\n,\n====\n,\n#+begin_,\0,\ufeff,\r,\ud800,---\n,]]>,\t,\u2028".split(","),
	...wordList(
		String.raw`\begin{tabular} \end{ \ | * 😀 < > " ' &#0; &lt { [ ]] } _: @ <!-- \u % # ( ) : ; .`,
	),
	..."` ``` __proto__ constructor null @context".split(" "),
	"9".repeat(40),
];

test("every sample file is read without problems before its mutation", async () => {
	for (const [name, text] of Object.entries(files)) {
		const { passages, problems } = await check(name, Buffer.from(text));
		assert.deepEqual(problems, [], name);
		assert.ok(passages.length > 0, name);
	}
});

for (const [name, text] of Object.entries(files))
	test(`random mutants of ${name} are read or skipped, with line ranges within the file`, async () => {
		for (let seed = 1; seed <= MUTANTS; seed++) {
			await check(name, mutate(Buffer.from(text), createDice(seed))).catch((thrown: unknown) => {
				throw new Error(`seed ${seed}`, { cause: thrown });
			});
		}
	});

async function check(name: string, bytes: Uint8Array): Promise<ParsedDocument> {
	const outcome = await parseDocument(`file:///fuzz/${name}`, bytes);
	if ("skipped" in outcome) return documentOfText("", []);
	const { document } = outcome;
	assert.doesNotMatch(document.problems[0]?.message ?? "", /^This file cannot be read/);
	const lines = countLines(decodeText(bytes) ?? "");
	for (const part of [...document.passages, ...document.quads, ...document.resources, ...document.problems]) {
		const { start, end } = part.lines;
		assert.ok(start >= 1 && end >= start && end <= lines, `${JSON.stringify(part)} of ${lines} lines`);
	}
	for (const { text } of document.passages) assert.ok(text.trim() !== "" && text.length <= MAX_PASSAGE);
	const described = new Set(document.passages.map(({ resource }) => resource));
	// The text of a Markdown document represents its resource.
	const isDescribed = (id: string) =>
		described.has(id) || (id.startsWith("file:") && described.has(undefined));
	for (const { id } of document.resources) assert.ok(isDescribed(id), id);
	return document;
}

function mutate(bytes: Buffer, random: (below: number) => number): Buffer {
	let mutant = bytes;
	for (let changes = 1 + random(4); changes > 0; changes--) {
		const from = random(mutant.length + 1);
		const to = Math.min(mutant.length, from + random(40));
		const cut = mutant.subarray(from, to);
		const inserts = [
			Buffer.alloc(0),
			Buffer.concat([cut, cut, cut]),
			Buffer.from(poison[random(poison.length)] ?? ""),
			Buffer.from((poison[random(poison.length)] ?? "").repeat(random(50))),
			Buffer.from([random(256)]),
			Buffer.from(cut).reverse(),
		];
		const after = random(20) === 0 ? Buffer.alloc(0) : mutant.subarray(to);
		mutant = Buffer.concat([mutant.subarray(0, from), inserts[random(inserts.length)] ?? cut, after]);
	}
	return mutant;
}
