export type TurtleSyntax = "Turtle" | "TriG" | "N-Triples" | "N-Quads";

/** The part of a text from a line on. */
export interface Rest {
	readonly text: string;
	/** From 1. */
	readonly line: number;
}

const LINE = /[^\r\n]*(?:\r\n|\r|\n|$)/y;

/** How a statement or a declaration begins that stands at the start of its line. */
const BEGINNING = /^(?:@?prefix\b|@?base\b|<|_:|\[|\(|[\p{L}\p{N}._-]*:)/iu;

/** A line that ends a statement: a dot, and nothing but a comment after it. */
const ENDING = /\.\s*(?:#.*)?$/;

/**
 * Where to go on after an error on a line. In N-Triples and N-Quads every line stands for itself; in Turtle a line that
 * begins a statement after one that ended one is as good; in TriG it may stand in any graph, so there is none.
 */
export function nextStatement(
	{ text, line }: Rest,
	errorLine: number,
	syntax: TurtleSyntax,
): Rest | undefined {
	if (syntax === "TriG") return undefined;
	const isOver = syntax === "Turtle" ? isBetweenStatements : () => true;
	let previous = "";
	let offset = 0;
	for (let number = line; offset < text.length; number++) {
		LINE.lastIndex = offset;
		const [current = ""] = LINE.exec(text) ?? [];
		if (number > errorLine && isOver(previous, current)) return { text: text.slice(offset), line: number };
		if (!/^\s*(#|$)/.test(current)) previous = current.trimEnd();
		offset += current.length;
	}
	return undefined;
}

function isBetweenStatements(previous: string, current: string): boolean {
	return ENDING.test(previous) && BEGINNING.test(current);
}
