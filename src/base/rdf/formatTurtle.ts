import { type Token, tokensOf } from "./sparqlTokens.ts";

type TurtleLike = "turtle" | "sparql";

/** An open bracket, with the indentation of its content. */
interface Frame {
	readonly bracket: string;
	readonly indent: number;
	isWithin: boolean;
}

/** Keeps line breaks, adds a line break after each statement and property of Turtle, and sorts adjacent prefixes. */
export function formatTurtle(text: string, language: TurtleLike, unit = "\t"): string {
	if (OPEN_TEXT.test(tokensOf(text).at(-1)?.text ?? "")) return text;
	const formatted = sortPrefixes(new Layout(text, language, unit).lines())
		.join("\n")
		.replace(/^\n+|\n+$/g, "");
	return formatted === "" ? "" : `${formatted}\n`;
}

/** Matches an unclosed long string, whose white space must stay up to the end of the file. */
const OPEN_TEXT = /^(?:"""(?!.*(?<!\\)""")|'''(?!.*(?<!\\)'''))/s;

class Layout {
	readonly #text: string;
	readonly #isTurtle: boolean;
	readonly #unit: string;
	readonly #lines: string[] = [];
	readonly #frames: Frame[] = [{ bracket: "", indent: 0, isWithin: false }];
	/** The current line. The indentation is known after the first token of the line. */
	#line = "";
	#indent = 0;
	#needsBreak = false;

	constructor(text: string, language: TurtleLike, unit: string) {
		this.#text = text;
		this.#isTurtle = language === "turtle";
		this.#unit = unit;
	}

	lines(): readonly string[] {
		const tokens = tokensOf(this.#text);
		for (const [at, token] of tokens.entries()) {
			const last = tokens[at - 1];
			this.#addGap(this.#text.slice(last?.end ?? 0, token.start), token, last);
			this.#addToken(token, tokens.slice(Math.max(0, at - 2), at));
		}
		this.#addGap(this.#text.slice(tokens.at(-1)?.end ?? 0), undefined, tokens.at(-1));
		this.#break();
		return this.#lines;
	}

	#addGap(gap: string, token: Token | undefined, last: Token | undefined): void {
		const pieces = gap.split(/(#[^\n\r]*)/);
		for (const [at, piece] of pieces.entries()) {
			if (at % 2 === 1) this.#addComment(piece);
			else this.#addSpace(piece, { isLast: at === pieces.length - 1, token, last });
		}
	}

	#addSpace(
		space: string,
		{ isLast, token, last }: { isLast: boolean; token: Token | undefined; last: Token | undefined },
	): void {
		const breaks = space.split(/\r\n|\r|\n/).length - 1;
		const isNeeded = this.#needsBreak || (this.#isTurtle && token?.text === "}");
		if (breaks > 0 || (isLast && isNeeded)) this.#break();
		if (breaks > 1 && this.#lines.at(-1) !== "") this.#lines.push("");
		if (isLast && token && this.#line !== "" && this.#isApart(space, token, last)) this.#line += " ";
	}

	#addComment(comment: string): void {
		if (this.#line === "") this.#line = this.#unit.repeat(this.#indentOf(undefined)) + comment.trimEnd();
		else this.#line = `${this.#line.trimEnd()} ${comment.trimEnd()}`;
		this.#needsBreak = true;
	}

	#break(): void {
		this.#needsBreak = false;
		if (this.#line !== "") this.#lines.push(this.#line);
		this.#line = "";
	}

	#addToken(token: Token, before: readonly Token[]): void {
		const { text } = token;
		if (this.#line === "") {
			this.#indent = this.#indentOf(token);
			this.#line = this.#unit.repeat(this.#indent);
		}
		this.#line += text;
		if (isOpening(text)) {
			this.#frame.isWithin = true;
			this.#frames.push({ bracket: text, indent: this.#indent + 1, isWithin: false });
		} else if (isClosing(text)) {
			if (this.#frames.length > 1) this.#frames.pop();
			if (text === "}") this.#frame.isWithin = false;
		} else this.#frame.isWithin = text !== "." && !this.#endsDirective(token, before);
		this.#needsBreak = this.#endsLine(token, before);
	}

	get #frame(): Frame {
		return this.#frames.at(-1) as Frame;
	}

	/** Whether a token ends `PREFIX a: <b>` or `BASE <b>`, which have no full stop. */
	#endsDirective({ kind }: Token, [first, second]: readonly Token[]): boolean {
		if (kind !== "iri" || this.#frames.length > 1) return false;
		const [word, name] = second?.kind === "name" ? [first, second] : [second, undefined];
		return word?.kind === "word" && (name ? /^prefix$/i : /^base$/i).test(word.text);
	}

	#endsLine(token: Token, before: readonly Token[]): boolean {
		if (this.#endsDirective(token, before)) return true;
		return this.#isTurtle && this.#isOutside && [".", ";", "{", "}"].includes(token.text);
	}

	/** Whether all open brackets are those of graphs. */
	get #isOutside(): boolean {
		return ["", "{"].includes(this.#frame.bracket);
	}

	#indentOf(token: Token | undefined): number {
		const { indent, isWithin } = this.#frame;
		if (token && isClosing(token.text)) return Math.max(0, indent - 1);
		return indent + (isWithin && this.#isOutside && this.#isTurtle ? 1 : 0);
	}

	#isApart(space: string, { text }: Token, last: Token | undefined): boolean {
		if (last && isClosing(text) && isOpening(last.text)) return text === "}";
		if (text === ",") return false;
		if (/^[.;{}]$/.test(text) || /^[,;.{}]$/.test(last?.text ?? "")) return true;
		if (text === "]" || last?.text === "[") return true;
		return space !== "";
	}
}

function isOpening(text: string): boolean {
	return /^(?:[[({]|\{\|)$/.test(text);
}

function isClosing(text: string): boolean {
	return /^(?:[\])}]|\|\})$/.test(text);
}

const PREFIX = /^@?prefix[ ]+([^\s:]*:)[ ]*<[^<>]*>(?: \.)?(?: #.*)?$/i;

/** Sorts each group of adjacent lines that declare different prefixes. */
function sortPrefixes(lines: readonly string[]): string[] {
	const sorted: string[] = [];
	for (let at = 0; at < lines.length; ) {
		const end = lines.findIndex((line, index) => index >= at && !PREFIX.test(line));
		const group = lines.slice(at, end < 0 ? undefined : end);
		const named = group.map((line) => ({ line, name: PREFIX.exec(line)?.[1] ?? "" }));
		const isOrdered = new Set(named.map(({ name }) => name)).size === named.length;
		if (isOrdered) named.sort((a, b) => (a.name < b.name ? -1 : 1));
		sorted.push(...named.map(({ line }) => line), ...lines.slice(at + group.length, at + group.length + 1));
		at += group.length + 1;
	}
	return sorted;
}
