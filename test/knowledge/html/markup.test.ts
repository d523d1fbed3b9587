import assert from "node:assert/strict";
import { test } from "node:test";
import { readHtml } from "../../../src/knowledge/html/readHtml.ts";

const page = "https://example.org/folder/page.html";

/** Statements as `start-end subject property object`, with schema.org and the page's folder left out. */
async function statementsOf(text: string): Promise<string[]> {
	const { quads } = await readHtml({ uri: page, text });
	const words = (value: string) =>
		value
			.replace(/^https?:\/\/schema\.org\//, "")
			.replace(/^.*#(type|first|rest|nil)$/, "$1")
			.replace("https://example.org/folder/", "");
	return quads.map(({ subject, predicate, object, lines }) =>
		[`${lines.start}-${lines.end}`, ...[subject, predicate, object].map(({ value }) => words(value))].join(
			" ",
		),
	);
}

async function rangesOf(text: string): Promise<Record<string, string>> {
	const { ranges } = await readHtml({ uri: page, text });
	return Object.fromEntries([...ranges].map(([id, { start, end }]) => [id, `${start}-${end}`]));
}

async function problemsOf(text: string): Promise<string[]> {
	return (await readHtml({ uri: page, text })).problems.map(
		({ message, lines }) => `${lines.start} ${message}`,
	);
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

test("every microdata statement has the lines of its element", async () => {
	assert.deepEqual(await statementsOf(person), [
		"2-10 page.html#ada type Person",
		"4-5 page.html#ada name Ada\n       Byron",
		"6-6 page.html#ada url ada.html",
		"7-9 page.html#ada address microdata0",
		"8-8 microdata0 city London",
	]);
});

test("the range of an item is its whole element", async () => {
	assert.deepEqual(await rangesOf(person), { [`${page}#ada`]: "2-10", "_:microdata0": "7-9" });
});

test("an element that is never closed ends where its content ends", async () => {
	assert.deepEqual(
		await statementsOf("<ul itemscope>\n<li itemprop=a>one\n<li itemprop=a>two\n\n</ul>\n\n"),
		["2-2 microdata0 page.html#a one\n", "3-3 microdata0 page.html#a two\n\n"],
	);
});

test("a referenced element keeps its own lines", async () => {
	assert.deepEqual(
		await statementsOf(
			'<p id=n itemprop=name>Ada</p>\n<div itemscope itemref="n"></div>\n<i itemscope itemref=m></i>\n<p id=m itemprop=name>Bob</p>',
		),
		["1-1 microdata0 page.html#name Ada", "4-4 microdata1 page.html#name Bob"],
	);
});

test("`<base>` is what relative addresses are relative to", async () => {
	assert.deepEqual(
		await statementsOf('<base href="/other/"><div itemscope><a itemprop=x href=y>z</a></div>'),
		["1-1 microdata0 https://example.org/other/#x https://example.org/other/y"],
	);
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

test("the first element of a fragment is not the page itself", async () => {
	const statements = await statementsOf(
		'<div vocab="https://schema.org/" typeof="Place"><b property="name">X</b></div>',
	);
	assert.deepEqual(statements.slice(1), ["1-1 rdfa0 type Place", "1-1 rdfa0 name X"]);
});

test("text inside a nested RDFa value belongs to the outer value too", async () => {
	const statements = await statementsOf(
		'<html vocab="https://schema.org/"><div property="a">1<p><b property="b">2</b></p>3</div></html>',
	);
	assert.deepEqual(statements.slice(1), ["1-1 page.html b 2", "1-1 page.html a 123"]);
});

test("a page without RDFa attributes has no RDFa statements", async () => {
	assert.deepEqual(await statementsOf('<link rel="stylesheet" href="x"><p class="property">x</p>'), []);
});

const script = (json: string) => `<script type="application/ld+json">${json}</script>`;

test("JSON-LD in scripts has the lines of the page", async () => {
	const text = `<html>\n<head>${script('\n{"@id": "#a",\n"https://schema.org/name":\n  "Ada"}\n')}</head>`;
	assert.deepEqual(await statementsOf(text), ["4-5 page.html#a name Ada"]);
});

test("a broken script is a problem at its line and no harm to the others", async () => {
	const text = `${script('{"https://schema.org/name": "A"}')}\n${script('\n{"name": ,}')}\n${script('{"https://schema.org/name": "B"}')}`;
	assert.deepEqual(
		(await statementsOf(text)).map((line) => line.split(" ").at(-1)),
		["A", "B"],
	);
	assert.match((await problemsOf(text)).join(), /^3 /);
});

test("an item that refers to itself is a problem", async () => {
	assert.match(
		(await problemsOf("<div id=a>\n<p itemscope itemref=a></p></div>")).join(),
		/^2 This item refers to "a"/,
	);
});

test("blank nodes of the three syntaxes are different ones", async () => {
	const text = `<div itemscope><b itemprop=p>1</b></div><div vocab="x:" typeof="T"></div>${script('{"https://schema.org/name": "A"}')}`;
	const { quads } = await readHtml({ uri: page, text });
	const nodes = quads.flatMap(({ subject }) => (subject.termType === "BlankNode" ? [subject.value] : []));
	assert.equal(new Set(nodes).size, 3);
});
