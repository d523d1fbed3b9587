import { wordList, wordMap } from "../../base/words/wordList.ts";
import type { Fact } from "../resources/documentFacts.ts";
import { createExtract, Unreadable } from "./extract.ts";
import { createFlow, tell } from "./flow.ts";
import type { OfficeRead } from "./officeXml.ts";

const SILENT = new Set(
	wordList(`
	fonttbl colortbl stylesheet pict object objdata themedata colorschememapping datastore latentstyles listtable
	listoverridetable rsidtbl generator xmlnstbl fldinst bkmkstart bkmkend filetbl revtbl mmathPr nonshppict
`),
);

const INFO = wordMap(`
	author=author operator=editor subject=about keywords=keywords doccomm=description company=publisher
`);

const CHARACTERS = new Map([
	["tab", "\t"],
	["line", "\n"],
	["~", "\u00a0"],
	...wordMap("emdash=— endash=– bullet=• lquote=‘ rquote=’ ldblquote=“ rdblquote=” _=-"),
]);

/** State of a group, which ends with it. */
interface Group {
	/** Target of text: nothing if empty, the document, or a property. */
	readonly to: string;
	/** Number of characters that replace one of Unicode. */
	readonly replaced: number;
}

type State = ReturnType<typeof createState>;

function createState() {
	const groups: Group[] = [{ to: "text", replaced: 1 }];
	return {
		flow: createFlow(),
		groups,
		info: new Map<string, string>(),
		/** Level of a heading; 0 for running text. */
		level: 0,
		inTable: false,
		/** Whether the paragraph is in a cell. */
		isCell: false,
		skip: 0,
	};
}

/** Paragraphs, headings by outline level, tables and notes; omits hidden text. */
export const readRtf: OfficeRead = ({ uri, bytes }) => {
	const source = new TextDecoder("latin1").decode(bytes);
	if (!source.trimStart().startsWith("{\\rtf")) throw new Unreadable("it contains no Rich Text");
	const state = createState();
	const { flow } = state;
	for (const token of readTokens(source)) take(token, state);
	if (state.inTable) flow.closeTable();
	const extract = createExtract();
	const links = tell(extract, flow.end());
	const values = [...INFO].flatMap(([name, property]): Fact[] => {
		const value = state.info.get(name);
		return value ? [{ property, value }] : [];
	});
	return extract.finish(uri, { type: "TextDigitalDocument", title: state.info.get("title"), values, links });
};

function take(token: Token, state: State): void {
	const { groups } = state;
	const group = groups.at(-1) ?? { to: "text", replaced: 1 };
	if (token.kind === "open" && groups.length < MOST_GROUPS) groups.push(group);
	if (token.kind === "close") {
		if (groups.length > 1) groups.pop();
		state.skip = 0;
	}
	if (token.kind === "text") write(token.text, state, group);
	if (token.kind === "word") obey(token, state, group);
}

const MOST_GROUPS = 100_000;

function write(text: string, state: State, { to }: Group): void {
	const kept = text.slice(state.skip);
	state.skip = Math.max(0, state.skip - text.length);
	if (to === "text") {
		if (kept !== "") state.flow.text(kept);
	} else if (to !== "") state.info.set(to, (state.info.get(to) ?? "") + kept);
}

function obey({ word, value }: Extract<Token, { kind: "word" }>, state: State, group: Group): void {
	const character = CHARACTERS.get(word);
	if (character !== undefined || word === "u") {
		if (character === undefined) writeUnicode(value ?? 63, state, group);
		else write(character, state, group);
		return;
	}
	const changed = groupAfter(word, value, group);
	if (changed) state.groups[state.groups.length - 1] = changed;
	else if (group.to === "text" && Object.hasOwn(LAYOUT, word)) LAYOUT[word]?.(state, value);
}

function writeUnicode(value: number, state: State, group: Group): void {
	state.skip = 0;
	write(String.fromCharCode(value < 0 ? value + 65_536 : value), state, group);
	state.skip = group.replaced;
}

function groupAfter(word: string, value: number | undefined, group: Group): Group | undefined {
	if (word === "uc") return { ...group, replaced: Math.min(value ?? 1, 9) };
	if (word === "*" || SILENT.has(word) || word === "info") return { ...group, to: "" };
	if (word === "v") return { ...group, to: value === 0 ? "text" : "" };
	if (word === "title" || INFO.has(word)) return { ...group, to: word };
	return undefined;
}

const LAYOUT: Readonly<Record<string, (state: State, value: number | undefined) => void>> = {
	pard: (state) => {
		state.level = 0;
		state.isCell = false;
	},
	intbl: (state) => {
		state.isCell = true;
	},
	outlinelevel: (state, value = 9) => {
		state.level = value < 9 ? value + 1 : 0;
	},
	trowd: (state) => {
		if (!state.inTable) state.flow.openTable();
		state.inTable = true;
	},
	cell: endCell,
	nestcell: endCell,
	row: ({ flow }) => flow.closeRow(),
	par: endParagraph,
	sect: endParagraph,
	page: endParagraph,
};

function endCell({ flow }: State): void {
	flow.closeParagraph();
	flow.closeCell();
}

function endParagraph(state: State): void {
	if (state.inTable && !state.isCell) {
		state.flow.closeTable();
		state.inTable = false;
	}
	state.flow.closeParagraph(state.level === 0 ? {} : { level: state.level });
}

type Token =
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
function* readTokens(source: string): Generator<Token> {
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
