import * as vscode from "vscode";
import { type Citation, formatPlace } from "../../core/knowledge/citation.ts";
import type { QuotedLines } from "../evidence/evidence.ts";
import { linkTo, locationOf } from "../folders.ts";

const SOURCES = 8;
const LINES = 8;
const CHARACTERS = 600;

/**
 * The places that an answer cites, with their lines as tooltips. A separate block, because VS Code drops the links of
 * joined text.
 */
export function quotedSources(quotes: readonly QuotedLines[]): vscode.MarkdownString | undefined {
	const links = quotes.slice(0, SOURCES).flatMap(({ citation, text }) => {
		const address = addressOf(citation);
		return address ? [`[${plain(nameOf(citation))}](<${address}> "${plain(shortened(text))}")`] : [];
	});
	if (links.length === 0) return undefined;
	const line = new vscode.MarkdownString(`\n\n${vscode.l10n.t("Cited lines: {0}", links.join(" · "))}\n\n`);
	// Nothing in it is HTML: it is what keeps the block apart from the answer.
	line.supportHtml = true;
	return line;
}

function nameOf({ path, lines }: Citation): string {
	return `${path.slice(path.lastIndexOf("/") + 1)}:${formatPlace(lines)}`;
}

function addressOf(citation: Citation): vscode.Uri | undefined {
	const location = locationOf(citation);
	const target = location && linkTo(location);
	if (!target || !("range" in target)) return target;
	const { start, end } = citation.lines;
	return target.uri.with({ fragment: `L${start},1-L${end + 1},1` });
}

function shortened(text: string): string {
	const lines = text.trimEnd().split("\n");
	const shown = lines.slice(0, LINES).join("\n").slice(0, CHARACTERS);
	return shown.length < text.trimEnd().length ? `${shown}…` : shown;
}

/**
 * Untrusted words: escaped against Markdown and HTML, and so that they do not end the surrounding title. What means
 * nothing within a link stays readable, since VS Code's Copy gives the Markdown.
 */
function plain(text: string): string {
	return text.replace(/[^\p{L}\p{N} ,.:;'+%?/-]/gu, (character) => `&#${character.codePointAt(0)};`);
}
