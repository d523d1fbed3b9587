import * as vscode from "vscode";
import { escapeMarkdown, quoteMarkdown } from "../../base/text/visibleText.ts";
import { briefPlace, escapePath } from "../../core/knowledge/citation.ts";
import type { Hit, Knowledge, SearchResult } from "../../core/knowledge/knowledge.ts";
import { describeTotal } from "../../core/knowledge/searchSummary.ts";
import { tellAnswer } from "../../passages/tell.ts";
import { linkTo, locationOf } from "../folders.ts";
import { translated } from "../l10n.ts";
import type { Answer } from "../turn/turnRecord.ts";
import { createEventView } from "./showEvent.ts";

const LIMIT = 10;
const SNIPPET_CHARACTERS = 300;
/** Characters by which a passage may exceed the snippet length without being cut. */
const SPARE = 60;

export const answerSearch: Answer<Knowledge["search"]> = async (search, turn, signal) => {
	const { prompt: query, stream, add } = turn;
	const result = await search({ query, limit: LIMIT, channel: "chat" }, signal);
	if (result.listing?.total) {
		const show = createEventView(stream);
		for (const event of tellAnswer(result, translated)) show(event);
	}
	stream.markdown(`\n\n${summaryOf(result, query)}`);
	for (const hit of result.hits) showHit(hit, stream);
	add({ citations: result.hits.map(({ path, lines }) => ({ path, lines })) });
};

function summaryOf(result: SearchResult, query: string): string {
	const notices = result.notices.map((notice) => `> ${escapeMarkdown(translated(notice))}`);
	return [foundText(result, escapeMarkdown(query)), ...notices].join("\n\n");
}

function foundText(result: SearchResult, asked: string): string {
	const count = result.hits.length;
	if (count === 0) return vscode.l10n.t("Nothing matches “{0}”. Try other words.", asked);
	const total = describeTotal(result);
	if (total === undefined) return vscode.l10n.t("The {0} best places for “{1}”:", count, asked);
	return vscode.l10n.t("The {0} best places for “{1}”; {2}:", count, asked, translated(total));
}

function showHit(hit: Hit, stream: vscode.ChatResponseStream): void {
	const location = locationOf(hit);
	stream.markdown(`\n\n**${escapeMarkdown(hit.title)}** `);
	if (location) {
		stream.reference(location);
		stream.anchor(linkTo(location), `${escapePath(hit.path)}:${briefPlace(hit.lines)}`);
	}
	const way = hit.via === undefined ? "" : `\n\n${escapeMarkdown(hit.via)}`;
	stream.markdown(`${way}\n\n${quoteMarkdown(snippetOf(hit.text.trim()))}\n\n`);
}

function snippetOf(text: string): string {
	if (text.length <= SNIPPET_CHARACTERS + SPARE) return text;
	return `${text.slice(0, SNIPPET_CHARACTERS).replace(/\s+\S{0,40}$/u, "")} …`;
}
