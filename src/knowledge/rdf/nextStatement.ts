export type TurtleSyntax = "Turtle" | "TriG" | "N-Triples" | "N-Quads";

export interface Rest {
	readonly text: string;
	readonly line: number;
}

const LINE = /[^\r\n]*(?:\r\n|\r|\n|$)/y;

/** Beginning of a statement or declaration at the start of a line. */
const BEGINNING = /^(?:@?prefix\b|@?base\b|<|_:|\[|\(|[\p{L}\p{N}._-]*:)/iu;

/** Line that ends a statement: a dot, and maybe a comment. */
const ENDING = /\.\s*(?:#.*)?$/;

/** Where to continue after an error: in N-Triples and N-Quads on the next line, in Turtle where one statement ends and another begins; nowhere in TriG, where the graph would be unknown. */
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
