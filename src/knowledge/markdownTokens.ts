import MarkdownIt, { type Token } from "markdown-it";

/** Characters; what follows in a larger file is read as plain text, because a token takes far more memory. */
export const MAX_MARKDOWN = 4_000_000;

/** Steps that looking for the ends of brackets may take in one document, about a second. */
const BRACKET_STEPS = 200_000_000;

/** The blocks of a Markdown text, each with the lines it stands on, and what is in them. */
export function readMarkdownTokens(text: string): readonly Token[] {
	const parser = new MarkdownIt({ html: true });
	let stepsLeft = BRACKET_STEPS;
	// Tags inside a line say nothing that is wanted, and broken ones take quadratic time.
	parser.inline.ruler.disable("html_inline");
	parser.core.ruler.at("inline", ({ tokens, env, md }) => {
		for (const token of tokens) {
			const steps = token.type === "inline" ? bracketSteps(token.content) : 0;
			if (token.type !== "inline" || steps > stepsLeft) continue;
			stepsLeft -= steps;
			token.children ??= [];
			md.inline.parse(token.content, md, env, token.children);
		}
	});
	return parser.parse(text, {});
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
