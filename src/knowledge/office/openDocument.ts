import type { DocumentFacts, Link } from "../resources/documentFacts.ts";
import { createExtract, type Extract } from "./extract.ts";
import { createFlow, type Flow, type ParagraphStyle, type Piece, tell } from "./flow.ts";
import { type OfficeRead, readProperties } from "./officeXml.ts";
import { readTables } from "./openSheets.ts";
import { addSheet } from "./sheet.ts";
import { Unreadable } from "./unreadable.ts";
import { type Attributes, walkXml } from "./xml.ts";
import { type Archive, openArchive } from "./zip.ts";

const WANTED = /^(?:content\.xml|meta\.xml|META-INF\/manifest\.xml)$/;

/** Text: headings, lists, tables, notes and comments; one line a paragraph. */
export const readOdt: OfficeRead = ({ uri, bytes }) => {
	const { content, facts } = open(bytes, "TextDigitalDocument");
	const extract = createExtract();
	const links = tell(extract, piecesOf(content));
	return extract.finish(uri, { ...facts, links });
};

/** Slides: a part for each, with its notes. */
export const readOdp: OfficeRead = ({ uri, bytes }) => {
	const { content, facts } = open(bytes, "PresentationDigitalDocument");
	const extract = createExtract();
	const links = pagesOf(content).flatMap((page, index) => readSlide(page, index, extract));
	return extract.finish(uri, { ...facts, links });
};

/** Sheets: a part for each, a line for each row with the names of its columns. */
export const readOds: OfficeRead = ({ uri, bytes }) => {
	const { content, facts } = open(bytes, "SpreadsheetDigitalDocument");
	const extract = createExtract();
	for (const [index, sheet] of readTables(content, extract).entries()) addSheet(extract, sheet, index);
	return extract.finish(uri, facts);
};

function open(bytes: Uint8Array, type: string): { readonly content: string; readonly facts: DocumentFacts } {
	const archive: Archive = openArchive(bytes, (name) => WANTED.test(name));
	if (archive.text("META-INF/manifest.xml").includes("encryption-data"))
		throw new Unreadable("it is encrypted with a password");
	const content = archive.text("content.xml");
	if (content === "") throw new Unreadable("it contains no document");
	return { content, facts: { type, ...readProperties(archive.text("meta.xml")) } };
}

/** The pages of a presentation, each with all that stands in it. */
function pagesOf(content: string): string[] {
	return content.match(/<draw:page[\s>][\s\S]*?<\/draw:page>/g) ?? [];
}

function readSlide(page: string, index: number, extract: Extract): Link[] {
	extract.begin({ name: `s${index + 1}` });
	const at = page.indexOf("<presentation:notes");
	const pieces = piecesOf(at < 0 ? page : page.slice(0, at));
	const title = pieces.find(({ kind }) => kind === "heading");
	const links = tell(extract, title ? [title, ...pieces.filter((piece) => piece !== title)] : pieces);
	const notes = at < 0 ? [] : piecesOf(page.slice(at));
	if (notes.length > 0) tell(extract, [{ kind: "prose", texts: ["Notes:"], links: [] }, ...notes]);
	return links;
}

/** What is no text of the document, or is there twice. */
const SILENT = new Set([
	"tracked-changes",
	"forms",
	"event-listeners",
	"styles",
	"automatic-styles",
	"scripts",
]);

interface State {
	readonly flow: Flow;
	/** Headings that are open, by their level. */
	readonly levels: number[];
	lists: number;
	isTitle: boolean;
	/** How deep we are in what is silent. */
	silent: number;
	paragraphs: number;
}

function piecesOf(xml: string): readonly Piece[] {
	const flow = createFlow();
	const state: State = { flow, levels: [], lists: 0, isTitle: false, silent: 0, paragraphs: 0 };
	walkXml(xml, {
		open: (name, attribute) => {
			if (SILENT.has(name)) state.silent++;
			if (state.silent === 0 && Object.hasOwn(OPENED, name)) OPENED[name]?.(state, attribute);
		},
		close: (name) => {
			if (SILENT.has(name)) state.silent--;
			else if (state.silent === 0 && Object.hasOwn(CLOSED, name)) CLOSED[name]?.(state);
		},
		text: (text) => {
			if (state.silent === 0 && state.paragraphs > 0) flow.text(text.replace(/\s+/g, " "));
		},
	});
	return flow.end();
}

function openParagraph(state: State): void {
	state.flow.openParagraph();
	state.paragraphs++;
}

const OPENED: Readonly<Record<string, (state: State, attribute: Attributes) => void>> = {
	p: openParagraph,
	h: (state, attribute) => {
		openParagraph(state);
		state.levels.push(Number(attribute("text:outline-level") ?? 1));
	},
	frame: (state, attribute) => {
		state.isTitle = attribute("presentation:class") === "title";
	},
	list: (state) => {
		state.lists++;
	},
	s: ({ flow }, attribute) => flow.text(" ".repeat(Math.min(80, Number(attribute("text:c") ?? 1)))),
	tab: ({ flow }) => flow.text("\t"),
	"line-break": ({ flow }) => flow.text("\n"),
	a: ({ flow }, attribute) => flow.link(attribute("xlink:href") ?? ""),
	table: ({ flow }) => flow.openTable(),
};

const CLOSED: Readonly<Record<string, (state: State) => void>> = {
	p: (state) => {
		state.paragraphs--;
		state.flow.closeParagraph(styleOf(state));
	},
	h: (state) => {
		state.paragraphs--;
		state.flow.closeParagraph({ level: state.levels.pop() ?? 1 });
	},
	frame: (state) => {
		state.isTitle = false;
	},
	list: (state) => {
		state.lists--;
	},
	"table-cell": ({ flow }) => flow.closeCell(),
	"table-row": ({ flow }) => flow.closeRow(),
	table: ({ flow }) => flow.closeTable(),
};

function styleOf({ isTitle, lists }: State): ParagraphStyle {
	if (isTitle) return { level: 1 };
	return lists > 0 ? { mark: "- " } : {};
}
