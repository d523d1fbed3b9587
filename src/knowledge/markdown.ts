import MarkdownIt, { type Token } from "markdown-it";
import type { ParsedDocument } from "../core/document.ts";
import { fileName } from "./fileName.ts";
import type { Format, Source } from "./format.ts";
import { type FrontMatter, readFrontMatter } from "./frontMatter.ts";
import { type Line, splitLines } from "./lines.ts";
import { markdownFacts } from "./markdownFacts.ts";
import { createOutline, toPathTitle } from "./outline.ts";
import { type Block, cutPassages } from "./passages.ts";
import { resourcesOf } from "./resources.ts";
import { verbalize } from "./verbalize.ts";
import { squeeze } from "./words.ts";

export const markdown: Format = {
	id: "markdown",
	extensions: ["md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd"],
	parse: parseMarkdown,
};

/** What is under one heading. */
interface Section {
	readonly title: string;
	readonly blocks: Block[];
}

/** Headings make the passages; front matter and links are facts about the document. */
function parseMarkdown({ uri, text }: Source): ParsedDocument {
	const frontMatter = readFrontMatter(text);
	const lines = splitLines(text).slice(frontMatter.lineCount);
	const tokens = new MarkdownIt({ html: true }).parse(lines.map((line) => line.text).join("\n"), {});
	const title = titleOf(frontMatter, tokens) ?? fileName(uri);
	const quads = markdownFacts({ uri, frontMatter, tokens, firstLine: frontMatter.lineCount + 1 });
	const resources = resourcesOf(quads).map((resource) => ({ ...resource, label: title }));
	const passages = sectionsOf(tokens, lines, title).flatMap((section) =>
		cutPassages(section.title, section.blocks),
	);
	return {
		title,
		resources,
		quads,
		passages: [...verbalize(resources, quads), ...passages],
		problems: frontMatter.problems,
	};
}

/** What the front matter calls it, else its first heading. */
function titleOf({ values }: FrontMatter, tokens: readonly Token[]): string | undefined {
	const named = values.find(({ key }) => key === "title") ?? values.find(({ key }) => key === "name");
	if (named) return squeeze(String(named.value));
	const heading = tokens.findIndex((token) => isHeading(token));
	return headingText(tokens[heading + 1]) || undefined;
}

function sectionsOf(tokens: readonly Token[], lines: readonly Line[], title: string): Section[] {
	const outline = createOutline();
	const sections: Section[] = [{ title, blocks: [] }];
	for (const [index, token] of tokens.entries()) {
		if (token.level > 0 || !token.map || token.nesting < 0) continue;
		if (isHeading(token)) {
			outline.enter(Number(token.tag.slice(1)), headingText(tokens[index + 1]));
			sections.push({ title: toPathTitle(title, outline.path()), blocks: [] });
		} else {
			const block = blockOf(token, lines.slice(...token.map));
			if (block) sections.at(-1)?.blocks.push(block);
		}
	}
	return sections;
}

function isHeading(token: Token): boolean {
	return token.type === "heading_open" && token.level === 0;
}

function headingText(inline: Token | undefined): string {
	const words = (inline?.children ?? []).filter(({ type }) => type !== "html_inline");
	return squeeze(words.map(({ content }) => content).join(""));
}

/** A paragraph flows; the lines of lists, tables, code and quotes stay as they are. Comments say nothing. */
function blockOf(token: Token, lines: readonly Line[]): Block | undefined {
	if (token.type === "html_block" && /^\s*<!--[\s\S]*-->\s*$/.test(token.content)) return undefined;
	const last = lines.findLastIndex(({ text }) => text.trim() !== "");
	return { kind: token.type === "paragraph_open" ? "prose" : "lines", lines: lines.slice(0, last + 1) };
}
