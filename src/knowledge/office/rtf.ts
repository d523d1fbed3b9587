import { wordList, wordMap } from "../../base/words/wordList.ts";
import type { Fact } from "../resources/documentFacts.ts";
import { createExtract } from "./extract.ts";
import { createFlow, type Flow, tell } from "./flow.ts";
import type { OfficeRead } from "./officeXml.ts";
import { readTokens, type Token } from "./rtfTokens.ts";
import { Unreadable } from "./unreadable.ts";

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

interface State {
	readonly flow: Flow;
	readonly groups: Group[];
	readonly info: Map<string, string>;
	level: number | undefined;
	inTable: boolean;
	/** Whether the paragraph is in a cell. */
	isCell: boolean;
	skip: number;
}

/** Paragraphs, headings by outline level, tables and notes; omits hidden text. */
export const readRtf: OfficeRead = ({ uri, bytes }) => {
	const source = new TextDecoder("latin1").decode(bytes);
	if (!source.trimStart().startsWith("{\\rtf")) throw new Unreadable("it contains no Rich Text");
	const flow = createFlow();
	const groups: Group[] = [{ to: "text", replaced: 1 }];
	const state: State = {
		flow,
		groups,
		info: new Map(),
		level: undefined,
		inTable: false,
		isCell: false,
		skip: 0,
	};
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
	switch (token.kind) {
		case "open":
			if (groups.length < MOST_GROUPS) groups.push(group);
			return;
		case "close":
			if (groups.length > 1) groups.pop();
			state.skip = 0;
			return;
		case "text":
			write(token.text, state, group);
			return;
		case "word":
			obey(token, state, group);
			return;
	}
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
		state.level = undefined;
		state.isCell = false;
	},
	intbl: (state) => {
		state.isCell = true;
	},
	outlinelevel: (state, value = 9) => {
		state.level = value < 9 ? value + 1 : undefined;
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
	state.flow.closeParagraph(state.level === undefined ? {} : { level: state.level });
}
