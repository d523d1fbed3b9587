import assert from "node:assert/strict";
import { test } from "node:test";
import MarkdownIt from "markdown-it";
import { Marked, type Token } from "marked";
import {
	escapeMarkdown,
	fenced,
	inlineCode,
	linkTarget,
	quoteMarkdown,
	shownBlock,
	visibleLines,
} from "../../../src/base/text/visibleText.ts";
import { wordList } from "../../../src/base/words/wordList.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { createRandom } from "../../support/random.ts";

const ROUNDS = 800;

/** VS Code 1.139 renders with this version of marked and its default options. */
const vscodeMarkdown = new Marked();
const webMarkdown = new MarkdownIt({ linkify: true, html: true });

const WORDS = wordList(String.raw`
http://x.example https://x.example/a_b ftp://x.example www.x.example me@x.example mailto:me@x.example
<http://x.example> <b> </b> <!-- --> <? <script> <vscode_codeblock_uri> command:x file:///etc
[a](http://x.example) ![a](http://x.example/a.png) [a] [a][b] [^1] === --- *** ___ ${"```"} ~~~ ${"`"} ${"``"}
|a|b| |-|-| :- ~~s~~ ~ * ** _ __ \ \\ $(zap) $x$ $$ &amp; &lt;b&gt; &#91; &#x5b; & a B 1 . !`);

const PIECES = [
	...WORDS,
	...["<img src=x>", "[a]: http://x.example", "# h", "## ", "- - -", "* a", "- a", "+ a"],
	...["1. a", "2) a", "> q"],
	...["    code", "\tcode", "- [ ] t", " ", "  ", "\n", "\n\n", "\r", "\r\r", "\r\n", "\u2028", "\u0085"],
	...["\u000b", "\f", "\u0000", "\u001b[31m", "\u001b]8;;http://x\u0007", "\u202e", "\u2066", "\u200b"],
	...["\ufeff", "\u00a0", "\u00ad"],
];

function* textsOf(seed: number): Iterable<string> {
	const random = createRandom(seed);
	for (let round = 0; round < ROUNDS; round++)
		yield Array.from({ length: random.below(9) }, () => random.pick(PIECES)).join("");
}

function tokensIn(tokens: readonly Token[]): Token[] {
	return tokens.flatMap((token) => [
		token,
		...tokensIn("tokens" in token ? (token.tokens ?? []) : []),
		...tokensIn(token.type === "list" ? token.items : []),
	]);
}

function typesIn(markdown: string): Set<string> {
	return new Set(tokensIn(vscodeMarkdown.lexer(markdown)).map(({ type }) => type));
}

function requireOnly(allowed: string, markdown: string, text: string): void {
	for (const type of typesIn(markdown))
		assert.ok(allowed.split(" ").includes(type), `${type} of ${JSON.stringify(text)}`);
}

/** The visible text of HTML that has only these tags. */
function wordsOf(html: string): string {
	const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };
	return html
		.replace(/<br>/g, "\n")
		.replace(/<\/?(?:p|blockquote|code|pre)(?: class="[\w-]*")?>/g, "")
		.replace(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name = "") =>
			code ? String.fromCodePoint(Number(code)) : (named[name] ?? whole),
		);
}

const onOneLine = (text: string) => visibleLines(text).replace(/\s+/g, " ").trim();

const FORBIDDEN = ["link", "image", "html", "code", "codespan", "em", "strong", "del", "def"];

test("escaped text appears literally in VS Code and other Markdown renderers", () => {
	for (const text of textsOf(13)) {
		const shown = escapeMarkdown(text);
		assert.match(shown, /^[^\n\r\p{Cc}\p{Cf}]*$/u);
		requireOnly("escape paragraph text", shown, text);
		const read = wordsOf(vscodeMarkdown.parse(shown, { async: false })).trim();
		assert.equal(read, onOneLine(text), JSON.stringify(text));
		const table = `| a |\n|---|\n| ${shown} |`;
		for (const around of [`> ${shown}\n\nafter`, `- ${shown}\n`, `a ${shown} b`, table, `# ${shown}`]) {
			const types = typesIn(around);
			assert.ok(!FORBIDDEN.some((type) => types.has(type)), JSON.stringify([around, text]));
		}
		const [first, ...rest] = webMarkdown.parse(shown, {}).filter(({ type }) => type === "inline");
		assert.deepEqual(rest, []);
		for (const { type } of first?.children ?? []) assert.match(type, /^text(?:_special)?$/, text);
	}
});

test("a Markdown quotation keeps its lines, and its text cannot end the quotation", () => {
	for (const text of textsOf(15)) {
		const quoted = `${quoteMarkdown(text)}\n\nafter`;
		requireOnly("blockquote br escape paragraph space text", quoted, text);
		assert.equal(vscodeMarkdown.lexer(quoted).at(-1)?.raw, "after");
	}
	assert.equal(quoteMarkdown("a\n\n# b"), "> a\\\n> \\\n> \\# b");
});

test("inline code stays code on one line, and a code block stays one block", () => {
	for (const text of textsOf(16)) {
		const [paragraph, ...rest] = vscodeMarkdown.lexer(`Ran ${inlineCode(text)} now`);
		assert.deepEqual(rest, [], JSON.stringify(text));
		const inner = tokensIn([paragraph as Token]).slice(1);
		if (onOneLine(text) !== "")
			assertMapped(inner, ({ type }) => type, ["text", "codespan", "text"], JSON.stringify(text));
		const tokens = vscodeMarkdown.lexer(`${shownBlock(text, "text")}\n\nafter`);
		const types = tokens.map(({ type }) => type).filter((type) => type !== "space");
		assert.deepEqual(types, ["code", "paragraph"], JSON.stringify(text));
		const [fence] = webMarkdown.parse(fenced(text, "text"), {});
		assert.equal(fence?.content, `${text}\n`.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd"));
	}
	assert.doesNotMatch(shownBlock("<vscode_codeblock_uri>file:///a</vscode_codeblock_uri>"), /<\/?vscode_/);
	assert.ok(fenced("` ".repeat(1_000_000)).startsWith("```\n"));
});

test("visibleLines names invisible characters, and keeps ordinary text", () => {
	assert.equal(visibleLines("a\u202eb\u200bc\u0000\u001b[1m"), "a⟨U+202E⟩b⟨U+200B⟩c⟨U+0000⟩⟨U+001B⟩[1m");
	assert.equal(visibleLines("a\r\nb\rc\td"), "a\nb\nc\td");
	for (const text of ["é", "e\u0301", "日本", "👩‍👩‍👧", "❤️", "1️⃣", "👍🏽", "שלום", "مرحبا", "“x” – y…"])
		assert.equal(visibleLines(text), text);
	assert.equal(shownBlock("\u001b[31mred\u001b[0m"), "```\nred\n```");
});

test("a file name in a link target cannot end the link", () => {
	for (const name of 'a)[x](https:evil.example)|a](b|a b|a "t"|a\\|<a>|`a`|((|a\nb'.split("|")) {
		const [inline] = webMarkdown.parseInline(`[x](${linkTarget(`https://a/${name}`)}#L1)`, {});
		const parts = inline?.children ?? [];
		assertMapped(parts, ({ type }) => type, ["link_open", "text", "link_close"], name);
		assert.match(String(parts[0]?.attrGet("href")), /^https:\/\/a\/.*#L1$/);
	}
});
