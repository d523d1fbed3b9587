import createMarkdownIt, { type Env, type MarkdownIt, type Token } from "markdown-it";

/** Characters; what follows in a larger file is read as plain text, because a token takes far more memory. */
export const MAX_MARKDOWN = 4_000_000;

/** Steps that looking for the ends of brackets may take in one document, about a second. */
const BRACKET_STEPS = 200_000_000;

/** Without one of these a line is but its words. */
const MARKUP = /[\n\\`~*_[&]|<[^\s<>]+[:@]/;

/** Without one of these, and without names for links in the document, there is no link in a paragraph. */
const LINK = /\]\(|<[^\s<>]+[:@]/;

/** What may be or become the beginning of a link to a note: only all of Markdown together tells. */
const NOTE_LINK = /\[\\?\[|&/;

/** Of what is in a paragraph only links are wanted: what only looks different is no matter. */
const LOOKS = ["emphasis", "strikethrough"];

/** Where it is noted how many steps the document that is being read may still take. */
const STEPS_LEFT = Symbol("steps left");

const everything = createParser();
const links = createParser();
links.inline.ruler.disable(LOOKS);
links.inline.ruler2.disable(["balance_pairs", ...LOOKS]);

/** The blocks of a Markdown text, each with the lines it stands on, and what is in those where it tells something. */
export function readMarkdownTokens(text: string): readonly Token[] {
	return everything.parse(text, { [STEPS_LEFT]: BRACKET_STEPS });
}

function createParser(): MarkdownIt {
	const parser = createMarkdownIt({ html: true });
	// Tags inside a line say nothing that is wanted, and broken ones take quadratic time.
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

/** The library looks for the end of every bracket: the sum of the ways is what that takes. */
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
