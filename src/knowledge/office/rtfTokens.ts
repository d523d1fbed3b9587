import { wordMap } from "../../base/words/wordList.ts";

export type Token =
	| { readonly kind: "open" | "close" }
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "word"; readonly word: string; readonly value: number | undefined };

/** Control word with number, character by code, other control, brace, or text. */
const TOKEN =
	/\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([\da-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/g;

/** By a font's charset number. */
const CHARSETS = wordMap(`
	128=shift_jis 129=euc-kr 134=gb18030 136=big5 161=windows-1253 162=windows-1254 163=windows-1258
	177=windows-1255 178=windows-1256 186=windows-1257 204=windows-1251 222=windows-874 238=windows-1250
`);

/** Tokens of a file decoded as Latin-1. Decodes consecutive bytes together, in the font's character set. */
export function* readTokens(source: string): Generator<Token> {
	const fonts = createFonts();
	let bytes: number[] = [];
	for (const match of source.matchAll(TOKEN)) {
		const [, , , hex] = match;
		if (hex !== undefined) {
			bytes.push(Number.parseInt(hex, 16));
			continue;
		}
		if (bytes.length > 0) yield { kind: "text", text: fonts.decode(bytes) };
		bytes = [];
		const token = tokenOf(match, fonts.decode);
		if (!token) continue;
		fonts.hear(token);
		yield token;
	}
	if (bytes.length > 0) yield { kind: "text", text: fonts.decode(bytes) };
}

function tokenOf(
	[, word, number, , symbol, brace, text]: RegExpExecArray,
	decode: (bytes: Uint8Array) => string,
): Token | undefined {
	if (word !== undefined)
		return { kind: "word", word, value: number === undefined ? undefined : Number(number) };
	if (brace !== undefined) return { kind: brace === "{" ? "open" : "close" };
	if (text !== undefined) return { kind: "text", text: decode(Buffer.from(text, "latin1")) };
	return symbol === undefined ? undefined : controlOf(symbol);
}

function controlOf(symbol: string): Token {
	if ("\\{}".includes(symbol)) return { kind: "text", text: symbol };
	if (symbol === "\n" || symbol === "\r") return { kind: "word", word: "par", value: undefined };
	return { kind: "word", word: symbol, value: undefined };
}

/** Tracks the character set: the document's, or that of the current font. */
function createFonts() {
	const sets = new Map<number, string>();
	let standard = "windows-1252";
	const stack: (number | undefined)[] = [undefined];
	const use = (word: string, value: number) => {
		const font = stack.at(-1);
		if (word === "f" || word === "deff") stack[stack.length - 1] = value;
		if (word === "ansicpg") standard = knownEncoding(value) ?? standard;
		if (word === "fcharset" && font !== undefined) sets.set(font, CHARSETS.get(`${value}`) ?? "");
	};
	return {
		hear(token: Token): void {
			if (token.kind === "open") stack.push(stack.at(-1));
			else if (token.kind === "close" && stack.length > 1) stack.pop();
			else if (token.kind === "word" && token.value !== undefined) use(token.word, token.value);
		},
		decode(bytes: ArrayLike<number>): string {
			const set = sets.get(stack.at(-1) ?? -1) || standard;
			return new TextDecoder(set).decode(Uint8Array.from(bytes));
		},
	};
}

/** Code pages with other names. */
const PAGES = wordMap("932=shift_jis 936=gb18030 949=euc-kr 950=big5 65001=utf-8");

function knownEncoding(page: number): string | undefined {
	try {
		return new TextDecoder(PAGES.get(`${page}`) ?? `windows-${page}`).encoding;
	} catch {
		// Obsolete code page.
		return undefined;
	}
}
