import { createExtract, type Extract, Unreadable } from "./extract.ts";
import { createFlow, type Piece, tellSlide } from "./flow.ts";
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

const WANTED =
	/^(?:ppt\/presentation\.xml|ppt\/_rels\/presentation\.xml\.rels|ppt\/(?:slides|notesSlides|diagrams|charts|comments)\/.*\.(?:xml|rels)|docProps\/(?:core|app)\.xml)$/;

/** Reads each slide as one part: title as heading, texts, tables, diagrams and notes. */
export const readPptx: OfficeRead = ({ uri, bytes }) => {
	const archive = openArchive(bytes, (name) => WANTED.test(name));
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
	const pieces = piecesOf(archive.text(path), relations);
	const others = [...relations.values()].map((target) => resolvePath(path, target));
	const besides = others
		.filter((target) => /\/(?:diagrams\/data|charts\/chart)\d*\.xml$/.test(target))
		.flatMap((target) => piecesOf(archive.text(target), new Map()));
	const notes = others.find((target) => target.includes("/notesSlides/"));
	const said = notes === undefined ? [] : piecesOf(archive.text(notes), new Map());
	// Notes pages repeat the slide number.
	const isTelling = ({ kind, texts }: Piece) =>
		kind === "heading" || !texts.every((text) => /^\d*$/.test(text.trim()));
	tellSlide(extract, [...pieces, ...besides], said.filter(isTelling));
}

function piecesOf(xml: string, targets: ReadonlyMap<string, string>): readonly Piece[] {
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
