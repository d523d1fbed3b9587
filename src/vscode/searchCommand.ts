import type * as vscode from "vscode";
import type { Citation } from "../core/citation.ts";
import type { Hit, Knowledge, SearchResult } from "../core/knowledge.ts";
import { locationOf } from "./folders.ts";
import { escapeMarkdown } from "./markdown.ts";

const LIMIT = 10;
/** Characters of a passage that are shown. */
const SNIPPET = 300;

/** `/search`: the passages themselves, without a model. Returns what was shown. */
export async function answerSearch(
	knowledge: Knowledge,
	request: { readonly query: string; readonly stream: vscode.ChatResponseStream },
	signal: AbortSignal,
): Promise<Citation[]> {
	const { query, stream } = request;
	const result = await knowledge.search({ query, limit: LIMIT }, signal);
	stream.markdown(summaryOf(result, query));
	for (const hit of result.hits) showHit(hit, stream);
	return result.hits.map(({ path, lines }) => ({ path, lines }));
}

function summaryOf({ hits, total, notices }: SearchResult, query: string): string {
	const found =
		hits.length === 0
			? `Nothing matches “${escapeMarkdown(query)}”. Try other words.`
			: `The ${hits.length} best of ${total} passages for “${escapeMarkdown(query)}”:`;
	return [found, ...notices.map((notice) => `> ${escapeMarkdown(notice)}`)].join("\n\n");
}

function showHit(hit: Hit, stream: vscode.ChatResponseStream): void {
	const location = locationOf(hit);
	stream.markdown(`\n\n**${escapeMarkdown(hit.title)}** `);
	if (location) {
		stream.reference(location);
		stream.anchor(location, `${hit.path}:${hit.lines.start}`);
	}
	const why = Object.entries(hit.why).map(([leg, rank]) => `${leg} #${rank}`);
	const text = hit.text.length > SNIPPET ? `${hit.text.slice(0, SNIPPET)}…` : hit.text;
	const quoted = escapeMarkdown(text.replace(/\s*\n\s*/g, " · "));
	stream.markdown(` (${[`score ${hit.score.toFixed(2)}`, ...why].join(", ")})\n\n> ${quoted}`);
}
