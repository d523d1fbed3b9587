import { numeral } from "../base/text/plural.ts";
import { escapeMarkdown, fenced } from "../base/text/visibleText.ts";
import { countWords, wordSet } from "../base/words/wordList.ts";
import type { AgentEvent, QuotedFacts } from "../core/agent/agentEvent.ts";
import { uncited } from "../core/knowledge/citation.ts";
import type { Extent, Listing, Overview, Quote, SearchResult } from "../core/knowledge/knowledge.ts";
import { extentText } from "../core/knowledge/searchSummary.ts";

type Say = (sentence: string) => string;

/** Maximum number of words of the shown items. The count covers all items. */
const MOST_LISTED_WORDS = 100;

const NOTHING = "Nothing in this folder answers that.";
const NEAREST = "Nearest places:";

/** Translations of both sentences by the language of the question. */
const IN: Readonly<Record<string, { readonly nothing: string; readonly nearest: string }>> = {
	de: { nothing: "Nichts in diesem Ordner beantwortet das.", nearest: "Nächstliegende Stellen:" },
	fr: { nothing: "Rien dans ce dossier ne répond à cela.", nearest: "Passages les plus proches :" },
};

type Found = Pick<SearchResult, "listing" | "answer" | "unread" | "extent">;

/** Writes an answer. Escapes the sources' text, so that documents can inject neither Markdown nor citations. */
export function* tellAnswer(found: Found, say: Say = (sentence) => sentence): Generator<AgentEvent> {
	const { listing, answer, extent } = found;
	if (listing && listing.total > 0) return yield* tellListing(listing, extent, say);
	if (!answer || answer.kind === "nothing") return yield* tellNothing(found, say);
	for (const [index, quote] of answer.quotes.entries()) {
		if (index > 0) yield text("\n\n");
		yield* tellQuote(quote);
	}
	if (answer.overview) yield* tellOverview(answer.overview, say);
}

function* tellNothing(found: Found, say: Say): Generator<AgentEvent> {
	yield text(nothingIn(found, say));
	const { quotes = [] } = found.answer ?? {};
	if (quotes.length > 0)
		yield text(`\n\n---\n\n${IN[found.answer?.language ?? ""]?.nearest ?? say(NEAREST)}\n\n`);
	for (const { lead, parts, citation } of quotes) {
		const from = parts.findIndex(({ isBest }) => isBest);
		const best = parts.slice(from).map((part) => shown(part.text, citation.path));
		yield text(`- ${lead === undefined ? "" : `${leadOf(lead, citation.path)} `}${cut(best.join(" "))} `);
		yield { kind: "citation", citation };
		yield text("\n");
	}
}

function nothingIn({ answer, unread }: Found, say: Say): string {
	const own = IN[answer?.language ?? ""]?.nothing;
	if (!unread) return own ?? say(NOTHING);
	const [done, total] = [unread.done, unread.total].map(numeral);
	return say(`Nothing found in ${done} of ${total} files so far.`);
}

export function factsOf({ listing, answer, extent }: Found): QuotedFacts {
	const isAll = extent === undefined;
	if (!listing || listing.total === 0)
		return { kind: answer?.kind ?? "nothing", items: [], isComplete: isAll };
	const isComplete = isAll && !listing.truncated;
	const items = listing.items.map(({ label }) => label);
	const { kind } = listing;
	return { kind: kind === "list" || kind === "count" ? kind : "answer", items, isComplete };
}

function* tellQuote(quote: Quote): Generator<AgentEvent> {
	const { form, lead, citation } = quote;
	const isInline = form === "prose" || form === "record";
	const before = lead === undefined ? "" : `**${leadOf(lead, citation.path)}**${isInline ? " " : "\n\n"}`;
	if (form === "code") {
		const code = quote.parts.map((part) => part.text).join("");
		yield text(`${before}${fenced(uncited(code.trimEnd()))}\n`);
		return yield { kind: "citation", citation };
	}
	const all = quote.parts.map(({ text: part, isBest }) => {
		const words = shown(part, citation.path);
		return isBest && quote.parts.length > 1 ? `**${words}**` : words;
	});
	yield text(`${before}${isInline ? all.join(" ") : all.map((part) => `- ${part}`).join("\n")} `);
	yield { kind: "citation", citation };
}

function leadOf(lead: string, path: string): string {
	return `${shown(lead, path).replace(/:$/, "")}:`;
}

const MOST_CHARACTERS = 240;

function cut(words: string): string {
	return words.length <= MOST_CHARACTERS
		? words
		: `${words
				.slice(0, MOST_CHARACTERS)
				.toWellFormed()
				.replace(/\s+\S*$/, "")} …`;
}

const MOST_KINDS = 6;

function* tellOverview({ kinds, questions }: Overview, say: Say): Generator<AgentEvent> {
	const counts = kinds.slice(0, MOST_KINDS).map(({ name, count }) => `${shown(name, "")} ${numeral(count)}`);
	if (counts.length > 0) yield text(`\n\n${say("It has:")} ${counts.join(", ")}.`);
	const items = questions.map((question) => `- ${shown(question, "")}`);
	if (items.length > 0) yield text(`\n\n${say("Questions that it answers:")}\n\n${items.join("\n")}`);
}

/** Writes the count or sum, if any, and then each item with its values and citation. */
function* tellListing(listing: Listing, extent: Extent | undefined, say: Say): Generator<AgentEvent> {
	const { kind, total, added, items } = listing;
	const isChoice = kind !== "count" && kind !== "list" && !added;
	if (!isChoice) yield text(`${headOf(listing, extent, say)}\n\n`);
	else if (total > 1) yield text(`${say("All are equal:")}\n\n`);
	const named = firstOf(items);
	for (const [index, item] of named.entries()) {
		const mark = isChoice && items.length === 1 ? "" : "- ";
		yield text(`${mark}${wordsOf(item, isChoice && index < total)} `);
		yield { kind: "citation", citation: item.citation };
		yield text("\n");
	}
	if (!isChoice && named.length < total) yield text(say(`\nAnd ${numeral(total - named.length)} more.\n`));
}

function headOf({ kind, what, total, added }: Listing, extent: Extent | undefined, say: Say): string {
	if (!added) return say(`**${numeral(total)}** × ${shown(what, "")}, counted in ${extentText(extent)}:`);
	const [name, value] = [shown(added.name, ""), shown(added.value, "")];
	const things = `${numeral(total)} × ${shown(what, "")}`;
	return kind === "mean"
		? say(`**${value}** is the mean of ${name} in ${things}, counted in ${extentText(extent)}:`)
		: say(`**${value}** is the sum of ${name} in ${things}, counted in ${extentText(extent)}:`);
}

/** The first items within `MOST_LISTED_WORDS`, but at least one item. */
function firstOf(items: Listing["items"]): Listing["items"] {
	let left = MOST_LISTED_WORDS;
	return items.filter((item, index) => {
		left -= countWords(wordsOf(item, false));
		return left >= 0 || index === 0;
	});
}

function wordsOf({ label, values = [] }: Listing["items"][number], isChosen: boolean): string {
	const told = values.map(({ name, value }) => `${shown(name, "")} ${shown(value, "")}`).join(", ");
	const name = isChosen ? `**${shown(label, "")}**` : shown(label, "");
	return told === "" ? name : `${name} (${told})`;
}

function text(words: string): AgentEvent {
	return { kind: "text", text: words };
}

function shown(words: string, path: string): string {
	const line = words.replace(/\s+/g, " ").trim();
	return uncited(escapeMarkdown(isMarkdown(path) ? plain(line) : line));
}

function isMarkdown(path: string): boolean {
	return /\.(?:md|markdown|mdown|mkd|mdx|qmd|rmd)$/i.test(path);
}

const CODE_OR_TAG = /`[^`]+`|<!--.*?-->|<\/?([a-z][a-z0-9]*)(?:\s[^<>]*)?\/?>/gi;

/** Elements of HTML within a line. A placeholder such as `<name>` is none of them. */
const ELEMENTS = wordSet(`
	a abbr b big br center cite code del details div em font h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark
	ol p picture pre q s samp small source span strike strong sub summary sup table tbody td th thead tr u ul
	var video
`);

function plain(line: string): string {
	return (
		line
			.replace(CODE_OR_TAG, (found, name?: string) => {
				const isMarkup = found.startsWith("<!--") || ELEMENTS.has(name?.toLowerCase() ?? "");
				return isMarkup ? "" : found;
			})
			.replace(/^(?:>|[-*+]|\d+[.)])\s+/, "")
			// Images first, because a link may consist of one. A shortened text may end within either.
			.replace(/!\[([^[\]]*)\](?:\([^()]*(?:\)|$)|\[[^[\]]*\])/g, "$1")
			.replace(/\[([^[\]]*)\](?:\([^()\s]*(?:\s"[^"]*")?(?:\)|\s*…?$)|\[[^[\]]*\])/g, "$1")
			.replace(/(?<![\p{L}\p{N}*_])(\*\*|__|\*|_)(?=\S)([^*_]+?)(?<=\S)\1(?![\p{L}\p{N}*_])/gu, "$2")
			.replace(/`([^`]+)`/g, "$1")
	);
}
