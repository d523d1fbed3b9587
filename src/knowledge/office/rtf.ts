import { wordMap, wordSet } from "../../base/words/wordList.ts";
import { encodingNamed } from "../passages/decodeText.ts";
import { createExtract, Unreadable } from "./extract.ts";
import { createFlow, tell } from "./flow.ts";
import type { OfficeRead } from "./officeXml.ts";

const SILENT = wordSet(`
	fonttbl colortbl stylesheet pict object objdata themedata colorschememapping datastore latentstyles listtable
	listoverridetable rsidtbl generator xmlnstbl fldinst bkmkstart bkmkend filetbl revtbl mmathPr nonshppict info *
`);

const INFO = wordMap(`
	author=author operator=editor subject=about keywords=keywords doccomm=description company=publisher
`);

const CHARACTERS = new Map([
	["tab", "\t"],
	["line", "\n"],
	["~", "\u00a0"],
	...wordMap("emdash=— endash=– bullet=• lquote=‘ rquote=’ ldblquote=“ rdblquote=” _=-"),
]);

/** Encodings by the charset number of a font. */
const CHARSETS = wordMap(`
	128=shift_jis 129=euc-kr 134=gb18030 136=big5 161=windows-1253 162=windows-1254 163=windows-1258
	177=windows-1255 178=windows-1256 186=windows-1257 204=windows-1251 222=windows-874 238=windows-1250
`);

/** State of a group. The end of the group restores the state of the outer group. */
interface Group {
	/** Destination of text: `text` for the document, the name of a property, or empty to omit the text. */
	to: string;
	/** Number of fallback characters after each Unicode character. */
	replaced: number;
	font?: number;
}

type State = ReturnType<typeof createState>;

function createState() {
	const group: Group = { to: "text", replaced: 1 };
	return {
		flow: createFlow(),
		group,
		outer: [] as Group[],
		info: new Map<string, string>(),
		/** Level of a heading; 0 for body text. */
		level: 0,
		inTable: false,
		isCell: false,
		skip: 0,
		sets: new Map<number, string>(),
		standard: "windows-1252",
	};
}

/** A control word with its number, characters by code, a control symbol or brace, or text. */
const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|((?:\\'[\da-fA-F]{2})+)|([{}]|\\[^a-zA-Z])|([^\\{}\r\n]+)/g;

/** Reads paragraphs, headings by outline level, tables and notes. Omits hidden text. */
export const readRtf: OfficeRead = ({ uri, bytes }) => {
	const source = new TextDecoder("latin1").decode(bytes);
	if (!source.trimStart().startsWith("{\\rtf")) throw new Unreadable("it contains no Rich Text");
	const state = createState();
	const { flow } = state;
	for (const match of source.matchAll(TOKEN)) take(match, state);
	if (state.inTable) flow.closeTable();
	const extract = createExtract();
	tell(extract, flow.end());
	const values = Array.from(INFO, ([name, property]) => ({ property, value: state.info.get(name) ?? "" }));
	return extract.finish(uri, { type: "TextDigitalDocument", title: state.info.get("title"), values });
};

function take([, word, number, hex, sign, text = ""]: RegExpExecArray, state: State): void {
	if (word !== undefined) obey(word, number === undefined ? undefined : Number(number), state);
	else if (sign !== undefined) obeySign(sign, state);
	else {
		const bytes = hex ? Buffer.from(hex.replaceAll("\\'", ""), "hex") : Buffer.from(text, "latin1");
		const { group, sets, standard } = state;
		write(new TextDecoder(sets.get(group.font ?? -1) || standard).decode(bytes), state);
	}
}

function obeySign(sign: string, state: State): void {
	const symbol = sign.slice(1);
	if (sign === "{") {
		if (state.outer.length < MOST_GROUPS) state.outer.push({ ...state.group });
	} else if (sign === "}") {
		state.group = state.outer.pop() ?? state.group;
		state.skip = 0;
	} else if ("\\{}".includes(symbol)) write(symbol, state);
	else obey(/[\r\n]/.test(symbol) ? "par" : symbol, undefined, state);
}

const MOST_GROUPS = 100_000;

function write(text: string, state: State): void {
	const kept = text.slice(state.skip);
	const { to } = state.group;
	state.skip = Math.max(0, state.skip - text.length);
	if (to === "text") {
		if (kept !== "") state.flow.text(kept);
	} else if (to !== "") state.info.set(to, (state.info.get(to) ?? "") + kept);
}

function obey(word: string, value: number | undefined, state: State): void {
	const { group } = state;
	const character = CHARACTERS.get(word);
	if (character !== undefined) write(character, state);
	else if (word === "u") writeUnicode(value ?? 63, state);
	else if (SILENT.has(word)) group.to = "";
	else if (word === "title" || INFO.has(word)) group.to = word;
	else if (Object.hasOwn(GROUPS, word)) GROUPS[word]?.(state, value);
	else if (group.to === "text" && Object.hasOwn(LAYOUT, word)) LAYOUT[word]?.(state, value);
}

function writeUnicode(value: number, state: State): void {
	state.skip = 0;
	write(String.fromCharCode(value < 0 ? value + 65_536 : value), state);
	state.skip = state.group.replaced;
}

type Controls = Readonly<Record<string, (state: State, value: number | undefined) => void>>;

const GROUPS: Controls = {
	uc: ({ group }, value = 1) => {
		group.replaced = Math.min(value, 9);
	},
	v: ({ group }, value) => {
		group.to = value === 0 ? "text" : "";
	},
	f: useFont,
	deff: useFont,
	fcharset: ({ group, sets }, value) => {
		if (group.font !== undefined && value !== undefined) sets.set(group.font, CHARSETS.get(`${value}`) ?? "");
	},
	ansicpg: (state, value = 0) => {
		state.standard = encodingNamed(PAGES.get(`${value}`) ?? `windows-${value}`) ?? state.standard;
	},
};

function useFont({ group }: State, font: number | undefined): void {
	if (font !== undefined) group.font = font;
}

const LAYOUT: Controls = {
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

/** Encodings of code pages other than `windows-…`. */
const PAGES = wordMap("932=shift_jis 936=gb18030 949=euc-kr 950=big5 65001=utf-8");
