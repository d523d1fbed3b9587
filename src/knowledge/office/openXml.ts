import { createExtract, type Extract, Unreadable } from "./extract.ts";
import { createFlow, headingPiece, type ParagraphStyle, type Piece, tell, tellSlide } from "./flow.ts";
import {
	type Archive,
	type Attributes,
	elementsNamed,
	type OfficeRead,
	openArchive,
	readOfficeFacts,
	readRelations,
	resolvePath,
	walkElements,
} from "./officeXml.ts";

const IN_DOCX =
	/^(?:word\/(?:document\d*|styles|footnotes|endnotes|comments|header\d*|footer\d*)\.xml|word\/_rels\/document\d*\.xml\.rels|docProps\/(?:core|app)\.xml)$/;

/** Reads headings by style, lists, tables, text boxes, notes and comments. Each paragraph is one line. */
export const readDocx: OfficeRead = ({ uri, bytes }) => {
	const archive = openArchive(bytes, (name) => IN_DOCX.test(name));
	const main = archive.names.find((name) => /^word\/document\d*\.xml$/.test(name));
	if (main === undefined) throw new Unreadable("it contains no Word document");
	const extract = createExtract();
	const levelOf = headingLevels(archive.text("word/styles.xml"));
	const targets = readRelations(archive.text(`${main.replace("word/", "word/_rels/")}.rels`));
	tell(extract, paragraphsOf(archive.text(main), levelOf, targets));
	for (const [title, pattern] of BESIDES) tell(extract, besides(archive, title, pattern));
	return extract.finish(uri, readOfficeFacts(archive, "TextDigitalDocument"));
};

const BESIDES = [
	["Footnotes", /^word\/footnotes\.xml$/],
	["Endnotes", /^word\/endnotes\.xml$/],
	["Comments", /^word\/comments\.xml$/],
	["Headers and footers", /^word\/(?:header|footer)\d*\.xml$/],
] as const;

/** Keeps each text once, because documents repeat headers in every section. */
function besides(archive: Archive, title: string, pattern: RegExp): Piece[] {
	const texts = archive.names.filter((name) => pattern.test(name)).map((name) => archive.text(name));
	const pieces = texts.flatMap((text) => paragraphsOf(text, () => undefined, new Map()));
	const unique = new Map(pieces.map((piece) => [JSON.stringify(piece), piece]));
	return unique.size > 0 ? [headingPiece(title), ...unique.values()] : [];
}

/** Formatting elements, which are most of a document but contain no text. */
const LOOKS = ["rPr", "tabs", "pBdr", "sectPr", "tblPr", "tcPr", "trPr"];

type LevelOf = (style: string) => number | undefined;

interface Paragraph {
	style: string;
	isItem: boolean;
	level: number | undefined;
}

function paragraphsOf(xml: string, levelOf: LevelOf, targets: ReadonlyMap<string, string>): readonly Piece[] {
	const flow = createFlow();
	const paragraphs: Paragraph[] = [];
	const change = (changed: Partial<Paragraph>) => void Object.assign(paragraphs.at(-1) ?? {}, changed);
	const opened = {
		p: () => {
			flow.openParagraph();
			paragraphs.push({ style: "", isItem: false, level: undefined });
		},
		pStyle: (attribute: Attributes) => change({ style: attribute("w:val") ?? "" }),
		outlineLvl: (attribute: Attributes) => change({ level: Number(attribute("w:val") ?? 9) + 1 }),
		numPr: () => change({ isItem: true }),
		tab: () => paragraphs.length > 0 && flow.text("\t"),
		br: () => flow.text("\n"),
		cr: () => flow.text("\n"),
		noBreakHyphen: () => flow.text("-"),
		hyperlink: (attribute: Attributes) => flow.link(targets.get(attribute("r:id") ?? "")),
		tbl: flow.openTable,
	};
	const closed = {
		p: () => flow.closeParagraph(styleOf(paragraphs.pop(), levelOf)),
		tc: flow.closeCell,
		tr: flow.closeRow,
		tbl: flow.closeTable,
	};
	// Skip fallbacks for older programs, because they repeat content.
	walkElements(xml, { opened, closed, text: flow.text, textIn: ["t"], silent: ["Fallback", ...LOOKS] });
	return flow.end();
}

function styleOf(paragraph: Paragraph | undefined, levelOf: LevelOf): ParagraphStyle {
	if (!paragraph) return {};
	const { style, isItem, level = levelOf(style) } = paragraph;
	if (level !== undefined && level <= 9) return { level };
	return isItem ? { mark: "- " } : {};
}

/** Returns the heading level of a style by its ID, because style names depend on the language. */
function headingLevels(xml: string): LevelOf {
	const levels = new Map<string, number>();
	const bases = new Map<string, string>();
	let style = "";
	const note = (level: number) => {
		if (level <= 9 && !levels.has(style)) levels.set(style, level);
	};
	walkElements(xml, {
		opened: {
			style: (attribute) => {
				style = attribute("w:styleId") ?? "";
			},
			basedOn: (attribute) => bases.set(style, attribute("w:val") ?? ""),
			outlineLvl: (attribute) => note(Number(attribute("w:val") ?? 0) + 1),
			name: (attribute) => {
				const heading = /^(?:heading (\d)|title)$/i.exec(attribute("w:val") ?? "");
				if (heading) note(Number(heading[1] ?? 1));
			},
		},
	});
	const levelOf = (id: string, steps = 10): number | undefined => {
		const base = steps > 0 ? bases.get(id) : undefined;
		return levels.get(id) ?? (base === undefined ? undefined : levelOf(base, steps - 1));
	};
	return levelOf;
}

const IN_PPTX =
	/^(?:ppt\/presentation\.xml|ppt\/_rels\/presentation\.xml\.rels|ppt\/(?:slides|notesSlides|diagrams|charts|comments)\/.*\.(?:xml|rels)|docProps\/(?:core|app)\.xml)$/;

/** Reads each slide as one part: title as heading, texts, tables, diagrams and notes. */
export const readPptx: OfficeRead = ({ uri, bytes }) => {
	const archive = openArchive(bytes, (name) => IN_PPTX.test(name));
	const slides = slidesOf(archive);
	if (slides.length === 0) throw new Unreadable("it has no slides");
	const extract = createExtract();
	for (const [index, slide] of slides.entries()) {
		extract.begin({ name: `s${index + 1}` });
		readSlide(slide, archive, extract);
	}
	return extract.finish(uri, readOfficeFacts(archive, "PresentationDigitalDocument"));
};

function slidesOf(archive: Archive): string[] {
	const targets = readRelations(archive.text("ppt/_rels/presentation.xml.rels"));
	const listed = elementsNamed("sldId", archive.text("ppt/presentation.xml"));
	const slides = listed.flatMap((attribute) => targets.get(attribute("r:id") ?? "") ?? []);
	// Read repeated slides once, because a list could repeat a slide endlessly.
	return [...new Set(slides.map((target) => resolvePath("ppt/presentation.xml", target)))];
}

function readSlide(path: string, archive: Archive, extract: Extract): void {
	const relations = readRelations(archive.text(path.replace(/([^/]+)$/, "_rels/$1.rels")));
	const pieces = shapesOf(archive.text(path), relations);
	const others = [...relations.values()].map((target) => resolvePath(path, target));
	const besides = others
		.filter((target) => /\/(?:diagrams\/data|charts\/chart)\d*\.xml$/.test(target))
		.flatMap((target) => shapesOf(archive.text(target), new Map()));
	const notes = others.find((target) => target.includes("/notesSlides/"));
	const said = notes === undefined ? [] : shapesOf(archive.text(notes), new Map());
	// Notes pages repeat the slide number.
	const isTelling = ({ kind, texts }: Piece) =>
		kind === "heading" || !texts.every((text) => /^\d*$/.test(text.trim()));
	tellSlide(extract, [...pieces, ...besides], said.filter(isTelling));
}

function shapesOf(xml: string, targets: ReadonlyMap<string, string>): readonly Piece[] {
	const flow = createFlow();
	let isTitle = false;
	const opened = {
		sp: () => {
			isTitle = false;
		},
		ph: (attribute: Attributes) => {
			isTitle = ["title", "ctrTitle"].includes(attribute("type") ?? "");
		},
		p: flow.openParagraph,
		v: flow.openParagraph,
		br: () => flow.text(" "),
		hlinkClick: (attribute: Attributes) => flow.link(targets.get(attribute("r:id") ?? "")),
		tbl: flow.openTable,
	};
	const closed = {
		p: () => flow.closeParagraph(isTitle ? { level: 1 } : {}),
		v: () => flow.closeParagraph(),
		tc: flow.closeCell,
		tr: flow.closeRow,
		tbl: flow.closeTable,
	};
	walkElements(xml, { opened, closed, text: flow.text, textIn: ["t", "v"] });
	return flow.end();
}
