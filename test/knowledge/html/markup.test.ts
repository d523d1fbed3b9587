import assert from "node:assert/strict";
import { test } from "node:test";
import { readHtml } from "../../../src/knowledge/html/readHtml.ts";
import { assertMapped } from "../../support/assertMapped.ts";

const FOLDER = "https://example.org/folder/";
const page = `${FOLDER}page.html`;

/** Statements as `start-end subject property object`, with schema.org and the page's folder left out. */
async function statementsOf(text: string): Promise<string[]> {
	const { quads } = await readHtml({ uri: page, text });
	const words = (value: string) =>
		value
			.replace(/^https?:\/\/schema\.org\//, "")
			.replace(/^.*#(type|first|rest|nil)$/, "$1")
			.replace(FOLDER, "");
	return quads.map(({ subject, predicate, object, lines }) =>
		[`${lines.start}-${lines.end}`, ...[subject, predicate, object].map((one) => words(one.value))].join(" "),
	);
}

async function rangesOf(text: string): Promise<Record<string, string>> {
	const { ranges } = await readHtml({ uri: page, text });
	return Object.fromEntries([...ranges].map(([id, { start, end }]) => [id, `${start}-${end}`]));
}

async function problemsOf(text: string): Promise<string> {
	const { problems } = await readHtml({ uri: page, text });
	return problems.map(({ message, lines }) => `${lines.start} ${message}`).join();
}

const person = `<main>
  <div itemscope itemid="#ada"
       itemtype="https://schema.org/Person">
    <b itemprop="name">Ada
       Byron</b>
    <a itemprop="url" href="ada.html">more</a>
    <p itemprop="address" itemscope>
      <span itemprop="city">London</span>
    </p>
  </div>
</main>`;

const script = (json: string) => `<script type="application/ld+json">${json}</script>`;

for (const [title, text, ...statements] of [
	[
		"every microdata statement has the lines of its element",
		person,
		"2-10 page.html#ada type Person",
		"4-5 page.html#ada name Ada\n       Byron",
		"6-6 page.html#ada url ada.html",
		"7-9 page.html#ada address microdata0",
		"8-8 microdata0 city London",
	],
	[
		"an element that is never closed ends where its content ends",
		"<ul itemscope>\n<li itemprop=a>one\n<li itemprop=a>two\n\n</ul>\n\n",
		...["2-2 microdata0 page.html#a one\n", "3-3 microdata0 page.html#a two\n\n"],
	],
	[
		"a referenced element keeps its own lines",
		'<p id=n itemprop=name>Ada</p>\n<div itemscope itemref="n"></div>\n<i itemscope itemref=m></i>\n<p id=m itemprop=name>Bob</p>',
		...["1-1 microdata0 page.html#name Ada", "4-4 microdata1 page.html#name Bob"],
	],
	[
		"`<base>` is what relative addresses are relative to",
		'<base href="/other/"><div itemscope><a itemprop=x href=y>z</a></div>',
		"1-1 microdata0 https://example.org/other/#x https://example.org/other/y",
	],
	[
		"the first element of a fragment is not the page itself",
		'<div vocab="https://schema.org/" typeof="Place"><b property="name">X</b></div>',
		...[
			"1-1 page.html http://www.w3.org/ns/rdfa#usesVocabulary ",
			"1-1 rdfa0 type Place",
			"1-1 rdfa0 name X",
		],
	],
	[
		"text inside a nested RDFa value belongs to the outer value too",
		'<html vocab="https://schema.org/"><div property="a">1<p><b property="b">2</b></p>3</div></html>',
		"1-1 page.html http://www.w3.org/ns/rdfa#usesVocabulary ",
		...["1-1 page.html b 2", "1-1 page.html a 123"],
	],
	["a page without RDFa attributes has no RDFa", '<link rel="stylesheet" href="x"><p class="property">x</p>'],
	[
		"JSON-LD in scripts has the lines of the page",
		`<html>\n<head>${script('\n{"@id": "#a",\n"https://schema.org/name":\n  "Ada"}\n')}</head>`,
		"4-5 page.html#a name Ada",
	],
] as const)
	test(title, async () => assert.deepEqual(await statementsOf(text), statements));

test("the range of an item is its whole element", async () => {
	assert.deepEqual(await rangesOf(person), { [`${page}#ada`]: "2-10", "_:microdata0": "7-9" });
});

test("what may not stand in an IRI is escaped", async () => {
	const statements = await statementsOf('<div itemscope><a itemprop=url href="a b<c>">z</a></div>');
	assert.equal(statements[0]?.split(" ").at(-1), "a%20b%3Cc%3E");
});

const rdfa = `<html vocab="https://schema.org/"><body>
<div typeof="Person" resource="#ada">
  <span property="name">Ada</span>
  <p property="knows" typeof="Person">
    <em property="name">Bob</em>
  </p>
</div>
</body></html>`;

test("RDFa statements and resources have the lines of their elements", async () => {
	assert.deepEqual((await statementsOf(rdfa)).slice(1), [
		"2-7 page.html#ada type Person",
		"3-3 page.html#ada name Ada",
		"4-6 rdfa0 type Person",
		"4-6 page.html#ada knows rdfa0",
		"5-5 rdfa0 name Bob",
	]);
	assert.deepEqual(await rangesOf(rdfa), { [`${page}#ada`]: "2-7", "_:rdfa0": "4-6" });
});

test("a broken script is a problem at its line and no harm to the others", async () => {
	const text = `${script('{"https://schema.org/name": "A"}')}\n${script('\n{"name": ,}')}\n${script('{"https://schema.org/name": "B"}')}`;
	assertMapped(await statementsOf(text), (line) => line.split(" ").at(-1), ["A", "B"]);
	assert.match(await problemsOf(text), /^3 /);
});

test("an item that refers to itself is a problem", async () => {
	const problems = await problemsOf("<div id=a>\n<p itemscope itemref=a></p></div>");
	assert.match(problems, /^2 This item refers to "a"/);
});

test("blank nodes of the three syntaxes are different ones", async () => {
	const text = `<div itemscope><b itemprop=p>1</b></div><div vocab="x:" typeof="T"></div>${script('{"https://schema.org/name": "A"}')}`;
	const { quads } = await readHtml({ uri: page, text });
	const nodes = quads.flatMap(({ subject }) => (subject.termType === "BlankNode" ? [subject.value] : []));
	assert.equal(new Set(nodes).size, 3);
});
