import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMapped } from "../../support/assertMapped.ts";
import { assertNone } from "../../support/assertNone.ts";
import { documentOf, readableIn } from "../../support/documents.ts";

const uri = "https://example.org/page.html";
const parse = (text: string) => documentOf(uri, text);

const item = `<div itemscope itemtype="https://schema.org/Book">
<h2 itemprop="name">Notes</h2>
<p>By <a itemprop="author" href="/ada">Ada Byron</a></p>
<p>This sentence stands beside the values and says more than they do.</p>
<p itemprop="description">The value.</p>
</div>`;

for (const [title, text, ...passages] of [
	[
		"readable text is cut by headings, whose path is the title",
		"<title>Site</title>\n<h1>Guide</h1>\n<p>One <b>bold</b>\n  word.</p>\n<h2>Use &amp; care</h2>\n<p>Two</p><div>Three</div>\n<h1>Other</h1>Four",
		"3-4 Site › Guide: One bold word.",
		...["6-6 Site › Guide › Use & care: Two\n\nThree", "7-7 Site › Other: Four"],
	],
	[
		"lists and tables are kept together, one item on each line",
		"<ul>\n<li>one\nmore</li>\n<li>two<ul><li>inner</li></ul></li>\n</ul>\n<table><tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr></table>",
		"2-7 page.html: one more\ntwo\ninner\n\na | b\n1 | 2",
	],
	["preformatted text keeps its lines", "<pre>\nif x:\n    y\n</pre>", "2-3 page.html: if x:\n    y"],
	[
		"scripts, styles, navigation and templates are not read",
		"<script>a</script><style>b</style><nav>c</nav><template>d</template><svg><text>e</text></svg><p>f",
		"1-1 page.html: f",
	],
	[
		"what the linked data says is not said again, but text beside it is",
		item,
		"4-4 Notes: This sentence stands beside the values and says more than they do.",
	],
] as const)
	test(title, async () => assert.deepEqual(readableIn(await parse(text)), passages));

test("a heading without text under it is a passage, unless statements tell it or what is under it", async () => {
	const heading = "<title>Shop</title><h1>Gears</h1><h2>\n<b>Cog</b> wheels</h2><h2>Belts</h2>";
	const item = '<div itemscope itemtype="https://schema.org/Thing"><h3 itemprop="name">Belt 7</h3></div>';
	const { passages } = await parse(heading + item);
	assertMapped(passages, ({ title, text, lines }) => `${lines.start} ${title}: ${text}`, [
		"2 Thing Belt 7: Thing Belt 7",
		"2 Shop › Gears › Cog wheels: Cog wheels",
	]);
});

test("a link's text names what it links to", async () => {
	const { passages } = await parse(item);
	assert.equal(passages[0]?.text, "Book Notes\nauthor: Ada Byron\ndescription: The value.");
});

test("a page without linked data has the facts of its head", async () => {
	const { quads, resources } = await parse(
		'<title>My page</title>\n<meta name="description" content="All of it">\n<meta name=keywords content="a, b">\n<meta name="og:type" content="article">\n<meta name=viewport content="x">',
	);
	assertMapped(
		quads,
		({ subject, predicate, object, lines }) => [lines.start, subject.value, predicate.value, object.value],
		[
			[1, uri, "https://schema.org/name", "My page"],
			[2, uri, "https://schema.org/description", "All of it"],
			[3, uri, "https://schema.org/keywords", "a"],
			[3, uri, "https://schema.org/keywords", "b"],
			[4, uri, "http://ogp.me/ns#type", "article"],
		],
	);
	assertMapped(resources, ({ label }) => label, ["My page"]);
});

test("Open Graph is read as the RDFa that it is", async () => {
	const { quads } = await parse('<html><head><meta property="og:title" content="A"></head></html>');
	assertMapped(quads, ({ predicate, object }) => `${predicate.value} ${object.value}`, [
		"http://ogp.me/ns#title A",
	]);
});

test("roles and vocabularies are about the markup, not about anything in the graph", async () => {
	assertNone((await parse('<html vocab="https://schema.org/"><div role="button">x</div></html>')).resources);
});

test("every resource of a page has a passage, a label and its element's lines", async () => {
	const { resources, passages } = await parse(item);
	assertMapped(resources, ({ label, types, lines }) => ({ label, types, lines }), [
		{ label: "Notes", types: ["https://schema.org/Book"], lines: { start: 1, end: 6 } },
	]);
	assert.equal(passages[0]?.resource, resources[0]?.id);
});
