import assert from "node:assert/strict";
import { test } from "node:test";
import { readHtml } from "../../../src/knowledge/html/readHtml.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { documentOf, readableIn } from "../../support/documents.ts";
import { times } from "../../support/times.ts";

const parse = (text: string) => documentOf("https://example.org/page.html", text);

const item = `<div itemscope itemtype="https://schema.org/Book">
<h2 itemprop="name">Notes</h2>
<p>By <a itemprop="author" href="/ada">Ada Byron</a></p>
<p>This sentence stands beside the values and says more than they do.</p>
<p itemprop="description">The value.</p>
</div>`;

for (const [title, [text = "", ...passages]] of Object.entries({
	"headings divide the text of a page, and their path is the title": [
		"<title>Site</title>\n<h1>Guide</h1>\n<p>One <b>bold</b>\n  word.</p>\n<h2>Use &amp; care</h2>\n<p>Two</p><div>Three</div>\n<h1>Other</h1>Four",
		"3-4 Site › Guide: One bold word.",
		...["6-6 Site › Guide › Use & care: Two\n\nThree", "7-7 Site › Other: Four"],
	],
	"lists and tables of a page stay whole, with one item or row per line": [
		"<ul>\n<li>one\nmore</li>\n<li>two<ul><li>inner</li></ul></li>\n</ul>\n<table><tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr></table>",
		"2-7 page.html: one more\ntwo\ninner\n\na | b\n1 | 2",
	],
	"paragraphs in an item or a cell, and the definition of a term, continue the line": [
		"<ul><li><p>a</p><p>b</p></li></ul>\n<dl><dt>c</dt><dd><p>d</p><p>e</p></dd><dd>f</dd><dt>g</dt></dl>\n<table><tr><td> h<br>i </td><td></td><td><p>j</p></td></tr></table>",
		"1-3 page.html: a b\n\nc: d e\nf\ng\n\nh i | j",
	],
	"preformatted text of a page keeps its lines": [
		"<pre>\nif x:\n    y\n</pre>",
		"2-3 page.html: if x:\n    y",
	],
	"scripts, styles, navigation and templates of a page are skipped": [
		"<script>a</script><style>b</style><nav>c</nav><template>d</template><svg><text>e</text></svg><p>f",
		"1-1 page.html: f",
	],
	"text that repeats linked data is skipped, but text beside linked data is kept": [
		item,
		"4-4 Notes: This sentence stands beside the values and says more than they do.",
	],
}))
	test(title, async () => assert.deepEqual(readableIn(await parse(text)), passages));

test("front matter of a page becomes facts, and the page's text keeps its lines", async () => {
	const parsed = await parse("---\ntitle: Laws\nowner: Ida Holm\n---\n<p>All laws.</p>");
	assert.deepEqual(readableIn(parsed), ["5-5 Laws: All laws."]);
	assertMapped(parsed.quads, ({ predicate, object, lines }) => [lines.start, predicate.value, object.value], [
		[2, "https://schema.org/name", "Laws"],
		[3, "urn:copilot-ld:frontmatter:owner", "Ida Holm"],
	]);
});

test("a heading becomes a passage unless statements or text below the heading contain its words", async () => {
	const heading = "<title>Shop</title><h1>Gears</h1><h2>\n<b>Cog</b> wheels</h2><h2>Belts</h2>";
	const item = '<div itemscope itemtype="https://schema.org/Thing"><h3 itemprop="name">Belt 7</h3></div>';
	const parsed = await parse(heading + item);
	assert.deepEqual(readableIn(parsed), ["2-2 Shop › Gears › Cog wheels: Cog wheels"]);
	assert.equal(parsed.passages[0]?.text, "Thing Belt 7");
});

test("a nested microdata item uses the vocabulary of its own type", async () => {
	const text =
		'<div itemscope itemtype="http://s.org/A"><i itemprop="knows" itemscope itemtype="http://t.org/v#B"><u itemprop="p">y</u></i><b itemprop="q">z</b></div>';
	const { quads } = await parse(text);
	const said = quads.map(({ predicate }) => predicate.value).filter((iri) => !iri.endsWith("type"));
	assert.deepEqual(said.sort(), ["http://s.org/knows", "http://s.org/q", "http://t.org/v#p"]);
});

/** Without limits, libraries need minutes or forever for these pages. */
const limit = { timeout: 60_000 };
const divs = "<div>".repeat(40_000);

const texts: Record<string, string> = {
	"unclosed elements": divs,
	"unclosed elements in an item": `<div itemscope>${divs}`,
	"items inside items": '<p itemscope itemprop="a">'.repeat(3000),
	"ids inside ids": `<p itemscope itemref="i1 i2">${times(20_000, (id) => `<i id="i${id}">`).join("")}`,
	"elements inside an RDFa value": `<div property="schema:a">${"<i>x</i>".repeat(50_000)}</div>`,
	"a prefix attribute without prefixes": `<p prefix="${"a".repeat(50_000)}" property="schema:b">x</p>`,
	"many prefixes on many elements": `<p prefix="${times(2000, (id) => `p${id}: x:${id}`).join(" ")}">${"<i property='p1:a'>x</i>".repeat(5000)}`,
	"prefixes on every element": `<p ${times(2000, (id) => `xmlns:p${id}="x:${id}"`).join(" ")}>${"<i xmlns:q='x:y' property='q:a'>x</i>".repeat(2000)}`,
	"prefixes inside an RDFa pattern": `<p resource="#a" typeof="rdfa:Pattern"><i prefix="q: x:"><i prefix="r: x:"></i></i></p>`,
	"one long value for many properties": `<p itemscope><i itemprop="${times(20_000, (id) => `p${id}`).join(" ")}">${"v".repeat(10_000)}</i>`,
	"a JSON-LD script of brackets": `<script type="application/ld+json">${"[".repeat(50_000)}</script>`,
	"IDs that are inherited properties of objects":
		"<p itemscope itemref='constructor __proto__'></p><p id=constructor itemprop=a>x</p><p id=__proto__>",
};

const copy = (id: number) =>
	`<div resource="#p${id}" typeof="rdfa:Pattern">${`<link property="rdfa:copy" href="#p${id + 1}"/>`.repeat(2)}<b property="schema:a">x</b></div>`;

const bombs: Record<string, string> = {
	"RDFa patterns that copy patterns": `${times(30, copy).join("")}<div typeof="schema:T"><link property="rdfa:copy" href="#p0"/></div>`,
	"RDFa patterns that copy each other":
		'<p resource="#a" typeof="rdfa:Pattern"><link property="rdfa:copy" href="#b"/></p><p resource="#b" typeof="rdfa:Pattern"><link property="rdfa:copy" href="#a"/></p><p typeof="schema:T"><link property="rdfa:copy" href="#a"/></p>',
	"references to a large element": `<div id=x>${"<p itemprop=a>x</p>".repeat(500)}</div>${"<p itemscope itemref=x></p>".repeat(500)}`,
	"many properties for many children": `<div vocab="x:" about="#a" rel="${times(2000, (id) => `r${id}`).join(" ")}">${"<p about='#b'></p>".repeat(2000)}`,
};

for (const [name, text] of Object.entries({ ...texts, ...bombs }))
	test(`a page with ${name} is read to its end and does not affect the next page`, limit, async () => {
		const { problems, passages } = await parse(`${text}<p>The last words of the page are these.</p>`);
		if (name in bombs) assert.equal(problems[0]?.severity, "error");
		assert.match(passages.map((passage) => passage.text).join("\n"), /The last words of the page/);
		const { quads } = await parse(
			'<p resource="#a" typeof="rdfa:Pattern"><b property="schema:name">x</b></p><p typeof="schema:T"><link property="rdfa:copy" href="#a"/></p>',
		);
		assertMapped(quads, ({ object }) => object.value, ["http://schema.org/T", "x"]);
	});

test("values nested in values of a page do not multiply its text", limit, async () => {
	const { quads } = await parse(`<div itemscope>${"<p itemprop=a>".repeat(250)}${"word ".repeat(100_000)}`);
	assert.ok(quads.reduce((sum, { object }) => sum + object.value.length, 0) < 5_000_000);
});

const FOLDER = "https://example.org/folder/";
const page = `${FOLDER}page.html`;

/** Statements as `start-end subject property object`, without IRIs of schema.org and the page's folder. */
async function linesOf(text: string): Promise<string[]> {
	const { quads } = await readHtml({ uri: page, text });
	const words = (value: string) =>
		value.replace(/^https?:\/\/schema\.org\/|^.*#(?=type$)/, "").replace(FOLDER, "");
	return quads.map(({ subject, predicate, object, lines }) =>
		[`${lines.start}-${lines.end}`, ...[subject, predicate, object].map((one) => words(one.value))].join(" "),
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

const rdfa = `<html><body vocab="https://schema.org/">
<div typeof="Person" resource="#ada">
  <span property="name">Ada</span>
  <p property="knows" typeof="Person">
    <em property="name">Bob</em>
  </p>
</div>
</body></html>`;

const script = (json: string) => `<script type="application/ld+json">${json}</script>`;
const vocabulary = (lines: string) => `${lines} page.html http://www.w3.org/ns/rdfa#usesVocabulary `;

for (const [title, [text = "", ...statements]] of Object.entries({
	"every microdata statement has the lines of its element": [
		person,
		"2-10 page.html#ada type Person",
		"4-5 page.html#ada name Ada\n       Byron",
		...["6-6 page.html#ada url ada.html", "7-9 page.html#ada address microdata0"],
		"8-8 microdata0 city London",
	],
	"every RDFa statement has the lines of its element": [
		rdfa,
		vocabulary("1-8"),
		...["2-7 page.html#ada type Person", "3-3 page.html#ada name Ada", "4-6 rdfa0 type Person"],
		...["4-6 page.html#ada knows rdfa0", "5-5 rdfa0 name Bob"],
	],
	"an unclosed element has the lines of its content": [
		"<ul itemscope>\n<li itemprop=a>one\n<li itemprop=a>two\n\n</ul>\n\n",
		...["2-2 microdata0 page.html#a one\n", "3-3 microdata0 page.html#a two\n\n"],
	],
	"an element that an item refers to keeps its own lines": [
		'<p id=n itemprop=name>Ada</p>\n<div itemscope itemref="n"></div>\n<i itemscope itemref=m></i>\n<p id=m itemprop=name>Bob</p>',
		...["1-1 microdata0 page.html#name Ada", "4-4 microdata1 page.html#name Bob"],
	],
	"`<base>` resolves relative addresses of a page": [
		'<base href="/other/"><div itemscope><a itemprop=x href=y>z</a></div>',
		"1-1 microdata0 https://example.org/other/#x https://example.org/other/y",
	],
	"the first element of an HTML fragment does not describe the page": [
		'<div vocab="https://schema.org/" typeof="Place"><b property="name">X</b></div>',
		...[vocabulary("1-1"), "1-1 rdfa0 type Place", "1-1 rdfa0 name X"],
	],
	"text in a nested RDFa value also belongs to the outer value": [
		'<html vocab="https://schema.org/"><div property="a">1<p><b property="b">2</b></p>3</div></html>',
		...[vocabulary("1-1"), "1-1 page.html b 2", "1-1 page.html a 123"],
	],
	"a page without RDFa attributes has no RDFa": ['<link rel="stylesheet" href="x"><p class="property">x</p>'],
	"JSON-LD in a script has its lines in the page": [
		`<html>\n<head>${script('\n{"@id": "#a",\n"https://schema.org/name":\n  "Ada"}\n')}</head>`,
		"4-5 page.html#a name Ada",
	],
}))
	test(title, async () => assert.deepEqual(await linesOf(text), statements));

test("an RDFa resource has the line range of its element", async () => {
	const { ranges } = await readHtml({ uri: page, text: rdfa });
	const lines = [...ranges].map(([id, { start, end }]) => `${id} ${start}-${end}`);
	assert.deepEqual(lines, [`${page}#ada 2-7`, "_:rdfa0 4-6"]);
});

test("a broken script and an item that refers to itself are reported at their lines; other elements are read", async () => {
	const named = (name: string) => script(`{"https://schema.org/name": "${name}"}`);
	const text = `${named("A")}\n${script('\n{"name": ,}')}\n${named("B")}\n<div id=a>\n<p itemscope itemref=a></p></div>`;
	const { quads, problems } = await readHtml({ uri: page, text });
	assertMapped(quads, ({ object }) => object.value, ["A", "B"]);
	assertMapped(problems.toReversed(), ({ lines }) => lines.start, [3, 6]);
	assert.match(problems[0]?.message ?? "", /This item refers to "a"/);
});

test("microdata, RDFa and JSON-LD of a page never share blank nodes", async () => {
	const text = `<div itemscope><b itemprop=p>1</b></div><div vocab="x:" typeof="T"></div>${script('{"https://schema.org/name": "A"}')}`;
	const { quads } = await readHtml({ uri: page, text });
	const nodes = quads.flatMap(({ subject }) => (subject.termType === "BlankNode" ? [subject.value] : []));
	assert.equal(new Set(nodes).size, 3);
});
