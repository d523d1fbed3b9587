import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertMapped } from "../../support/assertMapped.ts";
import { documentOf, readableIn } from "../../support/documents.ts";

const parse = (text: string, name = "notes/guide.md") => documentOf(`file:///${name}`, text);
const passagesOf = async (text: string) => readableIn(await parse(text));

/** Facts as `start-end property value`. */
async function factsOf(text: string): Promise<string[]> {
	const { quads } = await parse(text);
	return quads.map(({ lines: { start, end }, predicate, object }) =>
		[`${start}-${end}`, predicate.value.replace("https://schema.org/", ""), object.value].join(" "),
	);
}

for (const [title, [text = "", ...passages]] of Object.entries({
	"headings divide the text of a note, and their path is the title": [
		"# Guide\n\nA.\n\n## Use\n\nB\nc.\n\n### Deep\n\nx1\n\n## Other\ny1\n",
		...["3-3 Guide: A.", "7-8 Guide › Use: B c.", "12-12 Guide › Use › Deep: x1", "15-15 Guide › Other: y1"],
	],
	"text before the first heading of a note has the note's title": [
		"Before.\n\n# Guide *to* `all`\nAfter.",
		...["1-1 Guide to all: Before.", "4-4 Guide to all: After."],
	],
	"a heading without other text is a passage": ["# Only a *heading*\n", "1-1 Only a heading: Only a heading"],
	"a heading without text is not a passage if it has subheadings": [
		"A\n=\n\n## B\n\n## C\n\n<!-- todo -->\n\n### D\n\n## E\ntext\n\n## !\n",
		...["4-4 A › B: B", "10-10 A › C › D: D", "13-13 A › E: text"],
	],
	"lists, tables and code of a note keep their lines and stay in their section": [
		"# A\n- one\n- two\n\n|a|b|\n|-|-|\n|1|2|\n\n```sh\n# no heading\n```\n",
		"2-11 A: - one\n- two\n\n|a|b|\n|-|-|\n|1|2|\n\n```sh\n# no heading\n```",
	],
	"a comment in Markdown is skipped": ["# A\n\n<!-- hidden\nwords -->\n\nSeen.", "6-6 A: Seen."],
	"CRLF line ends are counted": ["# A\r\n\r\none\r\n\r\n## B\r\n2\r\n", "3-3 A: one", "6-6 A › B: 2"],
	"a table of contents is skipped": [
		"# A\n\n***Contents**\n\n- [B](#b)\n  - [C](#c)\n\n## B\nD",
		"9-9 A › B: D",
	],
	"a list of links with other words is kept": [
		"# A\n\n- [B](#b)\n- [C](#c), later\n",
		"3-4 A: - [B](#b)\n- [C](#c), later",
	],
	"the tags of HTML in a note are not its text": [
		'# A\n\n<div class="x">\n\nB\n\n<img alt="C" src="d.png" />\n</div>\n\n<p>\nE <b>f</b> &amp; <a href="g">h</a>\n</p>\n',
		"5-11 A: B\n\nE f & h",
	],
	"a heading in HTML divides a note and may name it": [
		'<h1 align="center">A</h1>\n\nB\n\n<h2 id="c">C <a class="anchor" href="#c">¶</a></h2>\n\nD\n',
		...["3-3 A: B", "7-7 A › C: D"],
	],
	"a list of terms in HTML keeps each term with its definition": [
		"# A\n\n<dl>\n<dt>B</dt>\n<dd>\n<p>C</p>\n</dd>\n</dl>\n",
		"4-6 A: B: C",
	],
	"empty lines in a table of HTML do not divide its rows": [
		"# A\n\n<table>\n<tr><td>B\n\n<p>C</p>\n\n</td><td>D</td></tr>\n\n</table>\n\nE\n",
		"4-12 A: B C | D\n\nE",
	],
	"imports of a page of MDX are skipped, but not those in code": [
		"import B from '@b/c';\n\n# A\n\nimport D from the menu.\n\n```js\nimport E from 'e';\n```\n",
		"5-9 A: import D from the menu.\n\n```js\nimport E from 'e';\n```",
	],
	"the fences of an admonition are not its text": [
		"# A\n\n:::tip B\nC\n:::\n\n::: {note}\n\nD\n\n:::\n",
		"3-9 A: B C\n\nD",
	],
	"a title in front matter is not a passage if the note has text": [
		"---\ntitle: T\n---\nSee.",
		"4-4 T: See.",
	],
}))
	test(title, async () => assert.deepEqual(await passagesOf(text), passages));

test("a title in front matter is a passage if the note has no text", async () =>
	assertMapped((await parse("---\ntitle: Guide\n---\n")).passages, ({ text }) => text, ["Guide"]));

test("each object in a list of front matter is a part of the document with its own lines", async () => {
	const yaml = "title: Laravel\nids: [{a: x}]\nreleases:\n  - name: Twelve\n    php: 8.2 - 8.5";
	const { passages } = await parse(`---\n${yaml}\n---\nText.\n`);
	assertMapped(passages.slice(0, 2), ({ lines, text }) => `${lines.start}-${lines.end} ${text}`, [
		"2-3 Laravel\nids.a: x\nreleases: Twelve",
		"5-6 Releases Twelve\nphp: 8.2 - 8.5\nis part of: Laravel",
	]);
});

test("a wikilink leads to the file of its name, with any characters in the name", async () => {
	for (const name of ["R&D, 2024 (old)", "a=b;c@d$e+f", "50% done?", "Über 'uns'", "a:b"]) {
		const [fact] = await factsOf(`See [[${name}]].\n`);
		assert.ok(fact?.includes(pathToFileURL(`/f/${name}.md`).href.replace(/^.*\//, "")), fact);
	}
});

const FOLDER_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type urn:copilot-ld:folder:notes";

for (const [title, [text = "", ...facts]] of Object.entries({
	"links and wikilinks become facts with the line of the link": [
		"# A\n\nSee [one](other.md#part) and\n[[Two words|two]], [[Up/Three#Sec]].\n\n- <https://example.org/x>\n",
		...["3-3 citation file:///notes/other.md#part", "4-4 citation file:///notes/Two%20words.md"],
		...["4-4 citation file:///notes/Up/Three.md#Sec", "6-6 citation https://example.org/x", "1-1 name A"],
	],
	"links to fragments, mail addresses, images and scripts, and links in code, do not become facts": [
		"[a](#b) <me@example.org> ![p](p.png) `[[no]]` [j](javascript:x)\n\n    [c](c.md)\n",
		"1-1 name guide",
	],
	"a note is named by the title in its front matter": ["---\ntitle: One\n---\n# Two\n", "2-2 name One"],
	"a note without title is named by its first heading": [
		"Text.\n\n## *Two* `words`\n# Three\n",
		"3-3 name Two words",
	],
	"a horizontal rule at the top of a note does not begin front matter": [
		"---\n\ntitle: x\n\n",
		"1-1 name guide",
	],
	"front matter becomes facts with lines, and with properties of schema.org if these exist": [
		"---\ntitle: My guide\nauthor:\n  - Ada\n  - Bob\ndate: 2024-03-01\nTags: [x, y]\nteam: {name: Red}\n---\nText.",
		...["2-2 name My guide", "3-5 author Ada", "3-5 author Bob", "6-6 datePublished 2024-03-01"],
		...["7-7 keywords x", "7-7 keywords y", "8-8 urn:copilot-ld:frontmatter:team.name Red"],
		...["7-7 about urn:copilot-ld:tag:x", "7-7 about urn:copilot-ld:tag:y"],
		`1-1 ${FOLDER_TYPE}`,
	],
	"aliases and tags in front matter and text become facts": [
		'---\nalias: Doggo, Rover\nalternateName: [Woofer, 7]\ntags: "#Pets/Dogs, 2024 old_ones"\n---\n# Dog #animal\nNot#one, #2024, `#code` or <https://e.org/#x>, but #y1984 and\n#Pets/dogs or #über/日本.\n',
		...["2-2 alternateName Doggo", "2-2 alternateName Rover", "3-3 alternateName Woofer"],
		...["3-3 alternateName 7", "4-4 keywords #Pets/Dogs, 2024 old_ones", "7-7 citation https://e.org/#x"],
		...["4-4 about urn:copilot-ld:tag:pets/dogs", "4-4 about urn:copilot-ld:tag:old_ones"],
		...["6-6 about urn:copilot-ld:tag:animal", "7-7 about urn:copilot-ld:tag:y1984"],
		"8-8 about urn:copilot-ld:tag:%C3%BCber/%E6%97%A5%E6%9C%AC",
		...["6-6 name Dog #animal"],
	],
}))
	test(title, async () => assert.deepEqual(await factsOf(text), facts));

for (const [what, yaml, problem] of [
	["broken", "title: [open\nother: x", /^error 3/],
	["an alias bomb", `a: &a [x]\n${bombLevel("b", "a")}${bombLevel("c", "b")}${bombLevel("d", "c")}`, /alias/],
	["nested too deeply", `a: ${"[".repeat(20_000)}`, /too deep/],
	["a list nested too deeply", `a: ${"- ".repeat(20_000)}`, /too deep/],
	["recursive", "a: &a {b: *a}", undefined],
] as const)
	test(`front matter that is ${what} does not affect the text below`, async () => {
		const parsed = await parse(`---\n${yaml}\n---\nText.`);
		const line = yaml.split("\n").length + 3;
		assert.deepEqual(readableIn(parsed), [`${line}-${line} guide.md: Text.`]);
		const [{ severity, lines, message } = {}] = parsed.problems;
		if (problem) assert.match(`${severity} ${lines?.start} ${message}`, problem);
	});

function bombLevel(name: string, of: string): string {
	return `${name}: &${name} [${`*${of},`.repeat(9)}*${of}]\n`;
}

test("an ID in front matter is the subject of the document's statements", async () => {
	const { quads, resources } = await parse(
		"---\nid: https://a.example/doc\ntype: HowTo\nauthor: https://a.example/ada\nabout: lamps\n---\n# T\n",
	);
	assert.deepEqual(new Set(quads.map(({ subject }) => subject.value)), new Set(["https://a.example/doc"]));
	const stated = quads.map(({ lines, predicate, object: { termType, value } }) =>
		[lines.start, predicate.value.replace("https://schema.org/", ""), termType, value].join(" "),
	);
	assert.deepEqual(stated, [
		"2 url NamedNode file:///notes/guide.md",
		"3 http://www.w3.org/1999/02/22-rdf-syntax-ns#type NamedNode https://schema.org/HowTo",
		...["4 author NamedNode https://a.example/ada", "5 about Literal lamps", "7 name Literal T"],
	]);
	assertMapped(resources, ({ id, types }) => `${id} ${types}`, [
		"https://a.example/doc https://schema.org/HowTo",
	]);
});

test("a table in a list item is a section with its own lines", async () => {
	const { passages } = await parse(
		"# Sorting\n\n1. All know this table.\n\n   | algorithm | worst case |\n   | --- | --- |\n   | quick sort | n^2 |\n\n2. The rest.\n",
	);
	const sections = passages.flatMap(({ sections = [] }) => sections);
	assertMapped(sections, ({ form, lines }) => `${form} ${lines.start}`, ["list 3", "table 5", "list 9"]);
});
