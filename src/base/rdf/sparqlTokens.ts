type TokenKind = "iri" | "name" | "variable" | "blank" | "string" | "tag" | "number" | "word" | "sign";

/** A token of SPARQL or Turtle; white space and comments are skipped. */
export interface Token {
	readonly kind: TokenKind;
	readonly text: string;
	readonly start: number;
	readonly end: number;
}

/** The SPARQL 1.1 terminals, slightly broader; a keyword is a `word`. Order matters. */
const TERMINALS: readonly (readonly [TokenKind | "space", string])[] = [
	["space", String.raw`\s+|#[^\n\r]*`],
	["iri", String.raw`<[^<>"{}|^${"`"}\x00-\x20]*>`],
	// An unclosed string, which is still being typed, extends to the end.
	[
		"string",
		String.raw`"""(?:"{0,2}(?:[^"\\]|\\.))*(?:"""|"{0,2}$)|'''(?:'{0,2}(?:[^'\\]|\\.))*(?:'''|'{0,2}$)`,
	],
	["string", String.raw`"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'`],
	["variable", String.raw`[?$][\p{L}\p{N}_]+`],
	["blank", String.raw`_:[\p{L}\p{N}_](?:(?:CHAR|\.)*CHAR)?`],
	["tag", "@[A-Za-z]+(?:-[A-Za-z0-9]+)*"],
	["name", String.raw`(?:\p{L}(?:(?:CHAR|\.)*CHAR)?)?:(?:LOCAL*(?:(?!\.)LOCAL))?`],
	["number", String.raw`\d+\.\d*[eE][+-]?\d+|\d*\.\d+(?:[eE][+-]?\d+)?|\d+(?:[eE][+-]?\d+)?`],
	["word", String.raw`[A-Za-z_]\w*`],
	["sign", String.raw`\^\^|&&|\|\||!=|<=|>=|<<|>>|\{\||\|\}|.`],
];
const CHAR = String.raw`[\p{L}\p{N}\p{M}_\u00b7\u203f\u2040-]`;
const LOCAL = String.raw`(?:CHAR|[:.]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?#@%-])`;

const KINDS = TERMINALS.map(([kind]) => kind);
const TOKEN = new RegExp(
	TERMINALS.map(
		([, pattern]) => `(${pattern.replaceAll("LOCAL", () => LOCAL).replaceAll("CHAR", CHAR)})`,
	).join("|"),
	"gsu",
);

/** Caches the last query, because several callers scan it in a row. */
let last: { readonly query: string; readonly tokens: readonly Token[] } = { query: "", tokens: [] };

export function tokensOf(query: string): readonly Token[] {
	if (last.query !== query) last = { query, tokens: [...scanTokens(query)] };
	return last.tokens;
}

export function* scanTokens(query: string): Generator<Token> {
	for (const match of query.matchAll(TOKEN)) {
		const [text] = match;
		const kind = KINDS[match.indexOf(text, 1) - 1] ?? "sign";
		if (kind !== "space") yield { kind, text, start: match.index, end: match.index + text.length };
	}
}

/** Whether a token is one of these keywords, given in upper case. The token may have any case. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
	return token?.kind === "word" && words.includes(token.text.toUpperCase());
}

/** LIMIT and OFFSET of the outermost query, not of subqueries; NaN if missing. */
export function sliceOf(query: string): { readonly limit: number; readonly offset: number } {
	const tokens = outermost(tokensOf(query));
	const after = (word: string) => Number(tokens[tokens.findIndex((token) => isWord(token, word)) + 1]?.text);
	return { limit: after("LIMIT"), offset: after("OFFSET") };
}

/** Tokens outside braces, and the outermost closing braces. */
export function outermost(tokens: readonly Token[]): Token[] {
	let depth = 0;
	return tokens.filter(({ text }) => {
		if (text === "{") depth++;
		if (text === "}") depth--;
		return depth === 0;
	});
}
