import { l10n } from "vscode";
import { visibleLines } from "../../base/text/visibleLines.ts";
import { type Citation, formatCitation } from "../../core/knowledge/citation.ts";
import type { CheckedStatement, Verdict } from "../../evidence/checkAnswer.ts";
import { remarkOn, summaryOf } from "../../evidence/summary.ts";
import { translated } from "../reported.ts";
import type { CheckedTurn } from "./checkTurn.ts";

/** Lines of a citation that are shown; its link leads to all of them. */
const LINES = 30;
/** Characters of a line of a source, which is shown as it is, and of words, which go on in the next. */
const WIDTH = 300;
const COLUMNS = 76;

const MARKS: Readonly<Record<Verdict["kind"], string>> = {
	standing: "✓",
	missing: "✗",
	uncited: "?",
	unjudged: "·",
};

const HINT = [
	l10n.t(
		"This is a hint, not proof: it only looks for figures, dates, names, and quoted words in the cited lines as they are now.",
	),
	l10n.t("Paraphrases were not checked: a sentence may say the same as the lines in other words."),
];

/** A line of the document. What it is of decides its color. */
export interface EvidenceLine {
	readonly text: string;
	readonly kind: "words" | "remark" | "citation" | "source";
	/** Where a click leads. */
	readonly citation?: Citation;
}

/** Each statement of an answer over the lines that it cites. Plain text: what others wrote is shown as it is. */
export function evidenceLines(question: string, { statements, linesOf }: CheckedTurn): EvidenceLine[] {
	const seen = new Set<string>();
	const summary = translated(summaryOf(statements)) || l10n.t("There is nothing to compare in this answer.");
	const head = [...shown(question).map((line) => `> ${line}`), "", summary, ...HINT].flatMap((text) =>
		wrapped(text).map(words),
	);
	const source = (citation: Citation): EvidenceLine[] => {
		const name = formatCitation(citation);
		const isNew = !seen.has(name);
		seen.add(name);
		const lines = isNew ? sourceLines(citation, linesOf(citation)?.text) : ["(above)"];
		return [
			{ text: `    ${name.slice(1, -1)}`, kind: "citation", citation },
			...lines.map((line) => ({ text: `    ${line}`, kind: "source" as const })),
		];
	};
	return [
		...head,
		...statements.flatMap((each) => [...statementLines(each), ...each.citations.flatMap(source)]),
	];
}

function statementLines(statement: CheckedStatement): EvidenceLine[] {
	const remark = translated(remarkOn(statement));
	const text = `${MARKS[statement.verdict.kind]}  ${shown(statement.text).join(" ")}`;
	return [
		words(""),
		...wrapped(text, "   ").map(words),
		...wrapped(shown(remark).join(" ")).flatMap((line) =>
			line === "" ? [] : [{ text: `    ${line}`, kind: "remark" } as const],
		),
	];
}

/** In a narrow editor, what does not fit is not seen. */
function wrapped(text: string, indent = ""): string[] {
	const lines: string[] = [];
	for (const word of text.split(" ")) {
		const last = lines.at(-1);
		if (last === undefined) lines.push(word);
		else if (last.length + word.length < COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
		else lines.push(indent + word);
	}
	return lines;
}

function words(text: string): EvidenceLine {
	return { text, kind: "words" };
}

/** The lines with their numbers, without the indentation that they share. */
function sourceLines({ lines: { start } }: Citation, text: string | undefined): string[] {
	if (text === undefined)
		return [l10n.t("These lines cannot be read: the file no longer exists or is not in the index.")];
	const lines = shown(text);
	const indents = lines.flatMap((line) => (line.trim() === "" ? [] : (/^\s*/.exec(line)?.[0].length ?? 0)));
	const indent = Math.min(...indents, WIDTH);
	const width = `${start + lines.length}`.length;
	const cut = lines.slice(0, LINES).map((line, index) => {
		const bare = line.slice(indent);
		const rest = bare.length > WIDTH ? `${bare.slice(0, WIDTH)} …` : bare;
		return `${`${start + index}`.padStart(width)}  ${rest}`.trimEnd();
	});
	return lines.length > LINES ? [...cut, `… ${l10n.t("and {0} more", lines.length - LINES)}`] : cut;
}

function shown(text: string): string[] {
	return visibleLines(text).split("\n");
}
