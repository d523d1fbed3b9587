import createMarkdownIt, { type Env, type MarkdownIt, type Token } from "markdown-it";

/** Characters; the rest is read as plain text, because tokens take far more memory. */
export const MAX_MARKDOWN = 4_000_000;

/** Steps to match brackets in one document, about a second. */
const BRACKET_STEPS = 200_000_000;

/** Lines without a match are plain text. */
const MARKUP = /[\n\\`~*_[&]|<[^\s<>]+[:@]/;

/** Without a match, a paragraph only has links if the document defines references. */
const LINK = /\]\(|<[^\s<>]+[:@]/;

/** May be a link to a note: only full parsing decides. */
const NOTE_LINK = /\[\\?\[|&/;

/** Only links matter in paragraphs; emphasis is ignored. */
const LOOKS = ["emphasis", "strikethrough"];

const STEPS_LEFT = Symbol("steps left");

const everything = createParser();
const links = createParser();
links.inline.ruler.disable(LOOKS);
links.inline.ruler2.disable(["balance_pairs", ...LOOKS]);

/** Inline content is only parsed if it matters. */
export function readMarkdownTokens(text: string): readonly Token[] {
	return everything.parse(text, { [STEPS_LEFT]: BRACKET_STEPS });
}

function createParser(): MarkdownIt {
	const parser = createMarkdownIt({ html: true });
	// Inline tags are not needed, and broken ones take quadratic time.
	parser.inline.ruler.disable("html_inline");
	parser.core.ruler.at("inline", ({ tokens, env }) => {
		for (const [index, token] of tokens.entries()) {
			if (token.type !== "inline") continue;
			token.children ??= [];
			readInline(token, tokens[index - 1]?.type === "heading_open", env);
		}
	});
	return parser;
}

function readInline(token: Token, isHeading: boolean, env: Env): void {
	const { content } = token;
	const isAll = isHeading || NOTE_LINK.test(content);
	const mayLink = LINK.test(content) || (env.references !== undefined && content.includes("["));
	if (isHeading ? !MARKUP.test(content) : !isAll && !mayLink) return;
	const steps = bracketSteps(content);
	const stepsLeft = Number(env[STEPS_LEFT]) - steps;
	if (stepsLeft < 0) return;
	env[STEPS_LEFT] = stepsLeft;
	const parser = isAll ? everything : links;
	parser.inline.parse(content, parser, env, token.children ?? []);
}

/** The library searches the end of every bracket: the cost is the sum of the distances. */
function bracketSteps(text: string): number {
	const open: number[] = [];
	let steps = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === 91) open.push(at);
		else if (code === 93) steps += at - (open.pop() ?? at);
	}
	return open.reduce((sum, start) => sum + text.length - start, steps);
}
