import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMapped } from "../../support/assertMapped.ts";
import { documentOf } from "../../support/documents.ts";

/** Each of these takes a library minutes, or for ever, when it is given as it is. */
const limit = { timeout: 60_000 };
const parse = (text: string) => documentOf("https://example.org/page.html", text);
const divs = "<div>".repeat(40_000);

const texts: Record<string, string> = {
	"unclosed elements": divs,
	"unclosed elements with closing tags of others": divs + "</span>".repeat(40_000),
	"unclosed elements in an item": `<div itemscope>${divs}`,
	"unclosed elements in RDFa": `<div vocab="https://schema.org/" typeof="T">${divs}`,
	"items inside items": '<p itemscope itemprop="a">'.repeat(3000),
	"ids inside ids": `<p itemscope itemref="i1 i2">${Array.from({ length: 20_000 }, (_, id) => `<i id="i${id}">`).join("")}`,
	"elements inside an RDFa value": `<div property="schema:a">${"<i>x</i>".repeat(50_000)}</div>`,
	"elements inside an HTML literal": `<div property="schema:a" datatype="rdf:HTML">${"<i>x</i>".repeat(50_000)}</div>`,
	"a prefix attribute that is no prefix": `<p prefix="${"a".repeat(50_000)}" property="schema:b">x</p>`,
	"many prefixes on many elements": `<p prefix="${Array.from({ length: 2000 }, (_, id) => `p${id}: x:${id}`).join(" ")}">${"<i property='p1:a'>x</i>".repeat(5000)}`,
	"prefixes on every element": `<p ${Array.from({ length: 2000 }, (_, id) => `xmlns:p${id}="x:${id}"`).join(" ")}>${"<i xmlns:q='x:y' property='q:a'>x</i>".repeat(2000)}`,
	"prefixes inside a pattern": `<p resource="#a" typeof="rdfa:Pattern"><i prefix="q: x:"><i prefix="r: x:"></i></i></p>`,
	"one value for many properties": `<p itemscope><i itemprop="${Array.from({ length: 20_000 }, (_, id) => `p${id}`).join(" ")}">${"v".repeat(10_000)}</i>`,
	"a JSON-LD script of brackets": `<script type="application/ld+json">${"[".repeat(50_000)}</script>`,
	"ids that are names of every object":
		"<p itemscope itemref='constructor __proto__'></p><p id=constructor itemprop=a>x</p><p id=__proto__>",
};

for (const [name, text] of Object.entries(texts)) {
	test(`the page is read to its end: ${name}`, limit, async () => {
		const { passages } = await parse(`${text}<p>The last words of the page are these.</p>`);
		assert.match(passages.map((passage) => passage.text).join("\n"), /The last words of the page/);
	});
}

const copies = Array.from(
	{ length: 30 },
	(_, id) =>
		`<div resource="#p${id}" typeof="rdfa:Pattern">${`<link property="rdfa:copy" href="#p${id + 1}"/>`.repeat(2)}<b property="schema:a">x</b></div>`,
);

const bombs: Record<string, string> = {
	"patterns that copy patterns": `${copies.join("")}<div typeof="schema:T"><link property="rdfa:copy" href="#p0"/></div>`,
	"patterns that copy each other":
		'<p resource="#a" typeof="rdfa:Pattern"><link property="rdfa:copy" href="#b"/></p><p resource="#b" typeof="rdfa:Pattern"><link property="rdfa:copy" href="#a"/></p><p typeof="schema:T"><link property="rdfa:copy" href="#a"/></p>',
	"references to a large element": `<div id=x>${"<p itemprop=a>x</p>".repeat(500)}</div>${"<p itemscope itemref=x></p>".repeat(500)}`,
	"properties times children": `<div vocab="x:" about="#a" rel="${Array.from({ length: 2000 }, (_, id) => `r${id}`).join(" ")}">${"<p about='#b'></p>".repeat(2000)}`,
};

for (const [name, text] of Object.entries(bombs)) {
	test(`a bomb is a problem, and the page's other text is read: ${name}`, limit, async () => {
		const { problems, passages } = await parse(`${text}<p>The last words of the page are these.</p>`);
		assert.equal(problems[0]?.severity, "error");
		assert.match(passages.map((passage) => passage.text).join("\n"), /The last words of the page/);
	});
}

test("values inside values do not multiply the text beyond measure", limit, async () => {
	const { quads } = await parse(`<div itemscope>${"<p itemprop=a>".repeat(250)}${"word ".repeat(100_000)}`);
	const characters = quads.reduce((sum, { object }) => sum + object.value.length, 0);
	assert.ok(characters < 5_000_000);
});

test("one page's failure leaves the next page's RDFa as it is", async () => {
	await parse(bombs["patterns that copy each other"] ?? "");
	const { quads } = await parse(
		'<p resource="#a" typeof="rdfa:Pattern"><b property="schema:name">x</b></p><p typeof="schema:T"><link property="rdfa:copy" href="#a"/></p>',
	);
	assertMapped(quads, ({ object }) => object.value, ["http://schema.org/T", "x"]);
});
