import assert from "node:assert/strict";
import { test } from "node:test";
import MarkdownIt from "markdown-it";
import { fenced, inlineCode, linkTarget } from "../../../src/base/text/visibleText.ts";

const TEXTS = ["plain", "a ``` b", "```\nout\n```", "`x`", "````````", "", "~~~"];

for (const text of TEXTS)
	test(`${JSON.stringify(text)} stays in its fence`, () => {
		const tokens = new MarkdownIt().parse(`${fenced(text, "text")}\n\nafter`, {});
		assert.deepEqual(
			tokens.filter(({ type }) => type === "fence").map(({ content }) => content),
			[`${text}\n`],
		);
		assert.equal(tokens.at(-2)?.content, "after");
	});

test("code within a line stays code, whatever is in it", () => {
	const [{ children } = { children: [] }] = new MarkdownIt().parseInline(
		inlineCode("echo `id` ``x``\n*y*"),
		{},
	);
	assert.deepEqual(
		children?.map(({ type, content }) => [type, content]),
		[["code_inline", "echo `id` ``x`` *y*"]],
	);
});

test("the address of a file ends no link, whatever the file is called", () => {
	for (const name of [
		"a)[x](https:evil.example)",
		"a](b",
		"a b",
		'a "t"',
		"a\\",
		"<a>",
		"`a`",
		"((",
		"a\nb",
	]) {
		const [{ children } = { children: [] }] = new MarkdownIt().parseInline(
			`[x](${linkTarget(`https://e.org/${name}`)}#L1)`,
			{},
		);
		const links = children?.filter(({ type }) => type === "link_open") ?? [];
		assert.equal(links.length, 1, name);
		assert.match(String(links[0]?.attrGet("href")), /^https:\/\/e\.org\/.*#L1$/);
		assert.equal(children?.length, 3, name);
	}
});

test("a text of a million backticks does no harm", () => {
	assert.equal(fenced("` ".repeat(1_000_000)).startsWith("```\n"), true);
});
