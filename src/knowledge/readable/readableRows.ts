import type { LineRange } from "../../core/knowledge/citation.ts";
import type { Block, BlockRow } from "../passages/passages.ts";
import { countLines, lineEnds, only, span, squeeze } from "../passages/source.ts";
import { toItem } from "../records/listItems.ts";
import type { Tag } from "./walkHtml.ts";

interface OpenText {
	readonly element: string;
	text: string;
	lines?: LineRange;
	isDone?: boolean;
}

interface OpenRow {
	readonly texts: OpenText[];
	headers: number;
	readonly depth: number;
}

interface Spanning {
	readonly cell: OpenText;
	left: number;
}

const MAX_SPAN = 1000;
const HOLDERS = new Set(["table", "ul", "ol", "dl"]);
const LISTS = new Set(["ul", "ol"]);

interface State {
	rows: OpenRow[];
	readonly holders: string[];
	readonly texts: OpenText[];
	readonly spanning: Map<number, Spanning>;
	caption?: OpenText | undefined;
	term?: OpenText | undefined;
	/** Whether tables are nested: nested tables only lay out text. */
	isLayout: boolean;
}

export function createReadableRows() {
	const state: State = { rows: [], holders: [], texts: [], spanning: new Map(), isLayout: false };
	return {
		open(tag: Tag): void {
			if (HOLDERS.has(tag.name)) {
				state.isLayout ||= tag.name === "table" && state.holders.includes("table");
				state.holders.push(tag.name);
			} else if (state.holders.length > 0 && Object.hasOwn(OPENED, tag.name)) OPENED[tag.name]?.(state, tag);
		},
		text(text: string, line: number): void {
			const open = state.texts.at(-1);
			if (!open) return;
			open.text += text;
			if (text.trim() === "") return;
			const start = line + lineEnds(text, 0, text.length - text.trimStart().length);
			const lines = { start, end: start + countLines(text.trim()) - 1 };
			open.lines = open.lines ? span(open.lines, lines) : lines;
		},
		close(name: string): void {
			if (HOLDERS.has(name)) state.holders.pop();
			if (state.texts.at(-1)?.element === name) state.texts.pop();
		},
		/** Returns the rows and the caption of the outermost table or list that has ended. */
		take(): Partial<Block> {
			const rows = state.isLayout ? [] : state.rows.flatMap(toRow);
			const caption = squeeze(state.caption?.text ?? "");
			Object.assign(state, { rows: [], caption: undefined, term: undefined, isLayout: false });
			state.spanning.clear();
			return { ...(rows.length > 0 && { rows }), ...(caption !== "" && { caption }) };
		},
	};
}

const OPENED: Readonly<Record<string, (state: State, tag: Tag) => void>> = {
	tr: ({ rows, holders }) => void (holders.length === 1 && rows.push({ texts: [], headers: 0, depth: 0 })),
	td: openCell,
	th: openCell,
	li: (state, tag) => {
		const depth = state.holders.filter((holder) => LISTS.has(holder)).length - 1;
		state.rows.push({ texts: [begin(state, tag)], headers: 0, depth: Math.max(0, depth) });
	},
	dt: (state, tag) => {
		state.term = begin(state, tag);
	},
	dd: (state, tag) => {
		const term = state.term ? [state.term] : [];
		state.rows.push({ texts: [...term, begin(state, tag)], headers: 0, depth: 0 });
	},
	caption: (state, tag) => {
		state.caption = begin(state, tag);
	},
	input: ({ texts }, { attributes }) => {
		const item = texts.at(-1);
		if (attributes["type"] === "checkbox" && item) item.isDone = "checked" in attributes;
	},
};

function begin({ texts }: State, { name }: Tag): OpenText {
	const text = { element: name, text: "" };
	texts.push(text);
	return text;
}

function openCell(state: State, tag: Tag): void {
	const row = state.rows.at(-1);
	if (!row || state.holders.length > 1) return;
	addSpanning(row, state.spanning);
	const cell = begin(state, tag);
	const left = spanOf(tag.attributes["rowspan"]) - 1;
	if (left > 0) state.spanning.set(row.texts.length, { cell, left });
	row.texts.push(cell);
	if (tag.name === "th") row.headers++;
	for (let width = spanOf(tag.attributes["colspan"]); width > 1; width--)
		row.texts.push({ element: "", text: "" });
}

function addSpanning({ texts }: OpenRow, spanning: Map<number, Spanning>): void {
	for (let above = spanning.get(texts.length); above && above.left > 0; above = spanning.get(texts.length)) {
		above.left--;
		texts.push({ element: "", text: above.cell.text });
	}
}

function toRow({ texts, headers, depth }: OpenRow): BlockRow[] {
	const own = texts.filter(({ lines }) => lines).map(({ lines }) => lines ?? only(1));
	const [first] = texts;
	if (own.length === 0 || !first) return [];
	const cells = texts.map(({ text }) => squeeze(text));
	const lines = own.reduce(span);
	if (first.element !== "li") return [{ cells, lines, headers, depth }];
	const item = toItem(cells[0] ?? "", lines, depth);
	return [{ ...item, isDone: first.isDone ?? item.isDone }];
}

function spanOf(attribute: string | undefined): number {
	const count = Number(attribute ?? 1);
	return Number.isInteger(count) ? Math.min(MAX_SPAN, count) : 1;
}
