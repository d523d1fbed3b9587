import { escapeMarkdown } from "../base/text/markdown.ts";
import { numeral } from "../base/text/plural.ts";
import type { AgentEvent } from "../core/agent/agentEvent.ts";
import { uncited } from "../core/knowledge/citation.ts";
import type { Listing } from "../core/knowledge/knowledge.ts";
import type { Quote, QuotedAnswer } from "./quoteAnswer.ts";

/** Things of a listing that are named; the number counts all of them. */
const LISTED = 50;

const NOTHING = "Nothing in this folder answers that.";

/** An answer as text and citations. Texts of sources are shown as they are, never as Markdown, and cite nothing. */
export function* tellAnswer(
	{ listing, quotes }: QuotedAnswer,
	say: (sentence: string) => string = (sentence) => sentence,
): Generator<AgentEvent> {
	if (listing) yield* tellListing(listing, say);
	else if (quotes.length === 0) yield text(say(NOTHING));
	const mark = quotes.length > 1 ? "- " : "";
	for (const quote of quotes) {
		yield text(`${mark}${wordsOf(quote)} `);
		yield { kind: "citation", citation: quote.citation };
		yield text("\n");
	}
}

function wordsOf({ lead, property, text: said, citation }: Quote): string {
	const before = lead === undefined ? "" : `**${shown(lead)}:** `;
	const words = shown(isMarkdown(citation.path) ? plain(said) : said);
	return property === undefined ? `${before}“${words}”` : `${before}${words}`;
}

function* tellListing(
	{ what, total, items, truncated }: Listing,
	say: (sentence: string) => string,
): Generator<AgentEvent> {
	yield text(say(`**${numeral(total)}** × ${shown(what)}, counted in the graph of all documents:\n\n`));
	for (const { label, citation } of items.slice(0, LISTED)) {
		yield text(`- ${shown(label)} `);
		yield { kind: "citation", citation };
		yield text("\n");
	}
	const named = Math.min(items.length, LISTED);
	if (truncated || named < items.length)
		yield text(say(`\nThe first ${named} of ${numeral(total)} are named.\n`));
}

function text(words: string): AgentEvent {
	return { kind: "text", text: words };
}

function shown(words: string): string {
	return uncited(escapeMarkdown(words));
}

function isMarkdown(path: string): boolean {
	return /\.(?:md|markdown|mdown|mkd|mdx|qmd|rmd)$/i.test(path);
}

/** The words of a line of Markdown, without its links and its emphasis. */
function plain(line: string): string {
	return line
		.replace(/!?\[([^[\]]*)\]\([^()\s]*(?:\s"[^"]*")?\)/g, "$1")
		.replace(/(?<![\p{L}\p{N}*_])(\*\*|__|\*|_)(?=\S)([^*_]+?)(?<=\S)\1(?![\p{L}\p{N}*_])/gu, "$2")
		.replace(/`([^`]+)`/g, "$1");
}
