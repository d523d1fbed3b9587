import { runsOf } from "../base/values.ts";
import { type Citation, citationsIn } from "../core/knowledge/citation.ts";

/** A sentence or list item of an answer as plain text, with its citations. */
export interface Statement {
	readonly text: string;
	readonly citations: readonly Citation[];
	/** Other citations in the same paragraph or list. */
	readonly nearby: readonly Citation[];
}

/** Characters around placeholders for citations. The same characters in the answer are removed. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const HELD = new RegExp(`${OPEN}(\\d+)${CLOSE}`, "g");
const FENCE = /^\s*(?:```|~~~)/;
const BREAK = /^\s*(?:#{1,6}\s|$)/;
const TABLE_RULE = /^\s*\|?\s*:?-{2,}/;
const ROW = /^\s*\|/;
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;

/** Space after a sentence, including closing marks and citations. Matches the space first: looking back is slow. */
const SENTENCE_END = new RegExp(
	`(?=\\s)(?<=[.!?…]["'”’»)*_]*(?:\\s*${OPEN}\\d+${CLOSE})*)\\s+(?=["'“„«(*_]*[\\p{Lu}\\p{N}])`,
	"u",
);
const ABBREVIATED =
	/(?:^|[\s(])(?:\p{Lu}|[A-Z]\.[A-Z]|Dr|Mr|Mrs|Ms|Prof|St|Mt|No|Nos|Fig|Figs|Sec|Vol|Jr|Sr|Inc|Ltd|Co|Corp|vs|etc|approx|ca|cf|e\.g|i\.e|al|p|pp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mio|Mrd|Tsd|Nr|Abs|bzw|usw|z\.B|d\.h)\.$/u;

/** A German ordinal number: `am 7. März`, `im 19. Jahrhundert`. */
const GERMAN_ORDINAL = /(?:^|\s)(?:am|vom|zum|bis|ab|de[rmns]|im|des|und)\s+\d{1,2}\.$/iu;

/** A text such as `Sources: […] […]`, whose citations are for the text before it. */
const ONLY_SOURCES = /^(?:\p{P}|\s|sources?|references?|see|from|citations?)*$/iu;

/** Omits code and headings. */
export function statementsIn(answer: string): Statement[] {
	const citations = citationsIn(answer);
	const held = citations.reduceRight(
		(text, { offset, length }, index) =>
			`${text.slice(0, offset)}${OPEN}${index}${CLOSE}${text.slice(offset + length)}`,
		// Keeps the length, so that offsets of citations remain valid.
		answer.replace(/[\uE000\uE001]/g, " "),
	);
	const cited = (text: string) =>
		[...text.matchAll(HELD)].flatMap(([, index]) => citations[Number(index)]?.citation ?? []);
	const blocks = blocksIn(held).map((pieces) => ({ pieces, citations: cited(pieces.join(" ")) }));
	const statements: Statement[] = [];
	for (const block of blocks)
		for (const piece of block.pieces.flatMap(sentencesIn)) {
			const text = plainWords(piece);
			const own = cited(piece);
			if (ONLY_SOURCES.test(text)) cover(statements, own);
			else statements.push({ text, citations: own, nearby: block.citations });
		}
	return statements;
}

function cover(statements: Statement[], citations: readonly Citation[]): void {
	for (const [index, statement] of statements.entries())
		statements[index] = { ...statement, nearby: [...statement.nearby, ...citations] };
}

function blocksIn(text: string): string[][] {
	const blocks: string[][] = [[]];
	for (const line of proseIn(text)) {
		const block = blocks.at(-1) ?? [];
		const last = block.at(-1) ?? "";
		// A paragraph that ends in a colon includes the list after it.
		if (!BREAK.test(line)) addLine(block, line);
		else if (!/:\W*$/.test(last)) blocks.push([]);
	}
	return blocks;
}

function addLine(block: string[], line: string): void {
	if (ROW.test(line)) block.push(line.replace(/\|/g, " | "));
	else if (ITEM.test(line) || block.length === 0) block.push(line.replace(ITEM, ""));
	else block.push(`${block.pop()} ${line.trim()}`);
}

function proseIn(text: string): string[] {
	let isCode = false;
	return text
		.split(/\r\n|[\n\r]/)
		.map((line) => line.replace(/^\s*(?:>\s?)+/, ""))
		.filter((line) => {
			const isFence = FENCE.test(line);
			if (isFence) isCode = !isCode;
			return !isFence && !isCode && !TABLE_RULE.test(line);
		});
}

function sentencesIn(piece: string): string[] {
	const goesOn = (before = "") => ABBREVIATED.test(before) || GERMAN_ORDINAL.test(before);
	const sentences = runsOf(piece.split(SENTENCE_END), (run) => goesOn(run.at(-1)));
	return sentences.map((run) => run.join(" ")).filter((sentence) => sentence.trim() !== "");
}

function plainWords(text: string): string {
	return text
		.replace(HELD, "")
		.replace(/!?\[([^[\]]{0,300})\]\([^()]{0,1000}\)/g, "$1")
		.replace(/\*\*|__|[*`]|(?<!\p{L})_|_(?!\p{L})/gu, "")
		.replace(/\s+/g, " ")
		.replace(/ (?=[.,;:!?])/g, "")
		.trim();
}
