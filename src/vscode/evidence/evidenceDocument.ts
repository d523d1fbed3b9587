import { escapeMarkdown, quoteMarkdown, shownBlock } from "../../base/markdown.ts";
import { type Citation, escapePath, formatCitation } from "../../core/knowledge/citation.ts";
import type { CheckedStatement, Verdict } from "../../evidence/checkAnswer.ts";
import { remarkOn, summaryOf } from "../../evidence/summary.ts";
import type { CheckedTurn } from "./checkTurn.ts";

/** Lines of a citation that are shown; its link leads to all of them. */
const LINES = 30;
/** Characters of a line. */
const WIDTH = 400;

const MARKS: Readonly<Record<Verdict["kind"], string>> = {
	standing: "✓",
	missing: "✗",
	uncited: "?",
	unjudged: "·",
};

const HINT = `A hint, not a proof: only figures, dates, names and quoted words were looked for in the cited lines, as they are now.
Whether a sentence says in other words what the lines say, nobody has judged.`;

/** A question and its answer, each statement with the lines that it cites, as a Markdown document. All of it is text of others. */
export function evidenceDocument(
	question: string,
	{ statements, linesOf }: CheckedTurn,
	linkTo: (citation: Citation) => string | undefined,
): string {
	const partOf = (statement: CheckedStatement) => [
		"---",
		`**${MARKS[statement.verdict.kind]}**\u2002${escapeMarkdown(statement.text)}`,
		...[remarkOn(statement)]
			.filter((remark) => remark !== "")
			.map((remark) => `**${escapeMarkdown(remark)}**`),
		...statement.citations.flatMap((citation) => [
			linked(citation, linkTo(citation)),
			shownText(citation, linesOf(citation)?.text),
		]),
	];
	const summary = summaryOf(statements) || "There is nothing to compare in this answer.";
	return ["# Evidence", quoteMarkdown(question), `**${summary}**`, HINT, ...statements.flatMap(partOf)].join(
		"\n\n",
	);
}

function linked(citation: Citation, address: string | undefined): string {
	const [name = ""] = /^\[(.*)\]$/s.exec(formatCitation(citation))?.slice(1) ?? [escapePath(citation.path)];
	const text = escapeMarkdown(name);
	return address === undefined ? text : `[${text}](<${address.replace(/[<>]/g, encodeURIComponent)}>)`;
}

/** The lines with their numbers, so that what is in the fence is no Markdown of any kind. */
function shownText({ lines: { start } }: Citation, text: string | undefined): string {
	if (text === undefined)
		return "*These lines cannot be read now: the file is gone, or is not in the index.*";
	const lines = text.split("\n");
	const width = `${start + lines.length}`.length;
	const shown = lines.slice(0, LINES).map((line, index) => {
		const cut = line.length > WIDTH ? `${line.slice(0, WIDTH)} …` : line;
		return `${`${start + index}`.padStart(width)}  ${cut}`;
	});
	const more = lines.length - shown.length;
	return shownBlock([...shown, ...(more > 0 ? [`… ${more} more lines`] : [])].join("\n"), "text");
}
