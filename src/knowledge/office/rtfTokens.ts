/** What Rich Text consists of. */
export type Token =
	| { readonly kind: "open" | "close" }
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "word"; readonly word: string; readonly value: number | undefined };

/** A control word with its number, a character by its code, another control, a brace, or text. */
const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([\da-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/g;

/** By the number of a font's character set. */
const CHARSETS: ReadonlyMap<number, string> = new Map([
	[128, "shift_jis"],
	[129, "euc-kr"],
	[134, "gb18030"],
	[136, "big5"],
	[161, "windows-1253"],
	[162, "windows-1254"],
	[163, "windows-1258"],
	[177, "windows-1255"],
	[178, "windows-1256"],
	[186, "windows-1257"],
	[204, "windows-1251"],
	[222, "windows-874"],
	[238, "windows-1250"],
]);

/** The tokens of a file that was read byte by byte. Bytes in a row are decoded together, in the font's character set. */
export function* readTokens(source: string): Generator<Token> {
	const fonts = createFonts();
	let bytes: number[] = [];
	for (const match of source.matchAll(TOKEN)) {
		const [whole, word, number, hex, symbol, brace, text] = match;
		if (hex !== undefined) {
			bytes.push(Number.parseInt(hex, 16));
			continue;
		}
		if (bytes.length > 0) yield { kind: "text", text: fonts.decode(bytes) };
		bytes = [];
		const value = number === undefined ? undefined : Number(number);
		if (word !== undefined) {
			fonts.hear(word, value);
			yield { kind: "word", word, value };
			// What follows is bytes of a picture, not words.
		} else if (brace !== undefined) {
			fonts.hear(brace, undefined);
			yield { kind: brace === "{" ? "open" : "close" };
		} else if (text !== undefined) yield { kind: "text", text: fonts.decode(Buffer.from(text, "latin1")) };
		else if (symbol !== undefined) yield controlOf(symbol);
		else if (whole === "\\") yield { kind: "text", text: "\\" };
	}
	if (bytes.length > 0) yield { kind: "text", text: fonts.decode(bytes) };
}

function controlOf(symbol: string): Token {
	if ("\\{}".includes(symbol)) return { kind: "text", text: symbol };
	if (symbol === "\n" || symbol === "\r") return { kind: "word", word: "par", value: undefined };
	return { kind: "word", word: symbol, value: undefined };
}

/** Follows which character set text is in: the document's, or that of the font in use. */
function createFonts() {
	const sets = new Map<number, string>();
	let standard = "windows-1252";
	let stack: (number | undefined)[] = [undefined];
	return {
		hear(word: string, value: number | undefined): void {
			const font = stack.at(-1);
			if (word === "{") stack.push(font);
			else if (word === "}" && stack.length > 1) stack.pop();
			else if (word === "f" || word === "deff") stack = [...stack.slice(0, -1), value];
			else if (word === "ansicpg" && value) standard = knownEncoding(value) ?? standard;
			else if (word === "fcharset" && font !== undefined && value !== undefined)
				sets.set(font, CHARSETS.get(value) ?? "");
		},
		decode(bytes: ArrayLike<number>): string {
			const set = sets.get(stack.at(-1) ?? -1) || standard;
			return new TextDecoder(set).decode(Uint8Array.from(bytes));
		},
	};
}

function knownEncoding(page: number): string | undefined {
	const label = page === 65_001 ? "utf-8" : page === 932 ? "shift_jis" : page === 936 ? "gb18030" : `windows-${page}`;
	try {
		return new TextDecoder(label).encoding;
	} catch {
		// A code page that nobody knows any more.
		return undefined;
	}
}
