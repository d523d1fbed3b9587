import type { PDFDocumentProxy } from "pdfjs-dist/types/src/display/api.js";
import { wordMap } from "../../../base/words/wordList.ts";
import type { ParsedDocument } from "../../../core/knowledge/document.ts";
import { type SourceFile, squeeze } from "../../passages/source.ts";
import type { DocumentFacts } from "../../resources/documentFacts.ts";
import { createExtract, type Extract, Unreadable } from "../extract.ts";
import { addPage, headingSizes, outlineOf } from "./blocks.ts";
import { linesInOrder, segmentsOf } from "./readingOrder.ts";
import "./canvasNames.ts";
import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import * as worker from "pdfjs-dist/legacy/build/pdf.worker.mjs";

/** Maximum number of pages of one file. Larger files are archives. */
const MAX_PAGES = 5000;
/** Time limit per file in milliseconds. Pages after the limit are omitted. */
const MAX_MS = 90_000;

/** Properties of schema.org by entry of the information dictionary. */
const INFO = wordMap(`
	Author=author Subject=about Keywords=keywords CreationDate=dateCreated ModDate=dateModified Language=inLanguage
`);

/** Properties of schema.org by XMP entry, for properties that the information dictionary lacks. */
const XMP = wordMap(`
	dc:creator=author dc:description=description dc:language=inLanguage dc:publisher=publisher dc:rights=license
	xmp:createdate=dateCreated xmp:modifydate=dateModified
`);

/** Reads each page as one part, with lines in reading order. Headings are found by outline and letter height. */
export async function readPdf({ uri, bytes }: SourceFile): Promise<ParsedDocument> {
	const document = await openPdf(bytes);
	try {
		return await readOpened(uri, document);
	} finally {
		await document.loadingTask.destroy();
	}
}

type Page = Awaited<ReturnType<typeof readPage>>;

async function readOpened(uri: string, document: PDFDocumentProxy): Promise<ParsedDocument> {
	const pages = await readPages(document);
	const extract = createExtract();
	const levels = headingSizes(pages.flatMap(({ lines }) => lines));
	const headings = await outlineOf(document);
	for (const [index, { lines, hrefs }] of pages.entries()) {
		extract.begin({ name: `p${index + 1}`, goesOn: true });
		for (const href of hrefs) extract.link(href);
		addPage(extract, lines, levels, headings.get(index));
	}
	if (extract.lines.isEmpty) throw new Unreadable("no text layer: it seems to be scanned");
	reportGaps(extract, pages, document.numPages);
	return extract.finish(uri, await readPdfFacts(document));
}

async function readPages(document: PDFDocumentProxy): Promise<Page[]> {
	const pages: Page[] = [];
	const last = Math.min(document.numPages, MAX_PAGES);
	const until = performance.now() + MAX_MS;
	for (let number = 1; number <= last && performance.now() < until; number++)
		pages.push(await readPage(document, number));
	return pages;
}

async function readPage(document: PDFDocumentProxy, number: number) {
	try {
		const page = await document.getPage(number);
		const lines = linesInOrder(segmentsOf(await page.getTextContent()));
		const annotations: readonly { readonly url?: unknown }[] = await page.getAnnotations();
		const hrefs = annotations.flatMap(({ url }) => (typeof url === "string" ? [url] : []));
		page.cleanup();
		return { lines, hrefs, isBroken: false };
	} catch {
		return { lines: [], hrefs: [], isBroken: true };
	}
}

function reportGaps(extract: Extract, pages: readonly Page[], count: number): void {
	const numbered = pages.map((page, index) => ({ ...page, number: index + 1 }));
	const broken = numbered.filter(({ isBroken }) => isBroken);
	const empty = numbered.filter(({ isBroken, lines }) => !isBroken && lines.length === 0);
	if (broken.length > 0) extract.problem(`${pagesNamed(broken)} cannot be read.`);
	if (empty.length > 0) extract.problem(`No text layer on ${squeeze(pagesNamed(empty).toLowerCase())}.`);
	if (pages.length < count) extract.problem(`Only the first ${pages.length} of ${count} pages are read.`);
}

function pagesNamed(pages: readonly { readonly number: number }[]): string {
	const shown = pages.slice(0, 10).map(({ number }) => number);
	const more = pages.length > shown.length ? ` and ${pages.length - shown.length} more` : "";
	return `${pages.length === 1 ? "Page" : "Pages"} ${shown.join(", ")}${more}`;
}

// PDF.js runs this worker on the main thread. We already are in a separate process.
Reflect.set(globalThis, "pdfjsWorker", worker);

/** Opens a PDF without scripts, system fonts, images or network access. */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
	const folder = tablesFolder();
	const loading = getDocument({
		// PDF.js transfers the data and refuses a Buffer.
		data: new Uint8Array(bytes),
		verbosity: VerbosityLevel.ERRORS,
		isEvalSupported: false,
		useSystemFonts: false,
		disableFontFace: true,
		useWasm: false,
		maxImageSize: 0,
		stopAtErrors: false,
		cMapUrl: `${join(folder, "cmaps")}${sep}`,
		cMapPacked: true,
		standardFontDataUrl: `${join(folder, "standard_fonts")}${sep}`,
	});
	try {
		return await loading.promise;
	} catch (thrown) {
		await loading.destroy();
		if (thrown instanceof Error && thrown.name === "PasswordException")
			throw new Unreadable("it is encrypted with a password");
		throw thrown;
	}
}

/** Folder with the tables of PDF.js: the bundled program's folder, otherwise `node_modules`. */
function tablesFolder(): string {
	const program = dirname(process.argv[1] ?? "");
	if (existsSync(join(program, "cmaps"))) return program;
	let folder = process.cwd();
	while (!existsSync(join(folder, INSTALLED)) && dirname(folder) !== folder) folder = dirname(folder);
	return join(folder, INSTALLED);
}

const INSTALLED = join("node_modules", "pdfjs-dist");

/** Tolerates broken metadata, so that the pages are still read. */
async function readPdfFacts(document: PDFDocumentProxy): Promise<DocumentFacts> {
	const { info, metadata } = await document.getMetadata().catch(() => ({ info: {}, metadata: null }));
	const entry = (name: string): string => {
		const value: unknown = Reflect.get(info, name);
		return typeof value === "string" ? value : "";
	};
	const said = Array.from(INFO, ([name, property]) => ({ property, value: dateOr(entry(name)) }));
	const known = new Set(said.filter(({ value }) => value !== "").map(({ property }) => property));
	const more = [...XMP]
		.filter(([, property]) => !known.has(property))
		.flatMap(([name, property]) => textsOf(metadata?.get(name)).map((value) => ({ property, value })));
	const title = entry("Title") || textsOf(metadata?.get("dc:title"))[0];
	return {
		type: "DigitalDocument",
		title: NO_TITLE.test(title ?? "") ? undefined : title,
		values: [...said, ...more, { property: "numberOfPages", value: document.numPages }],
	};
}

/** Titles that programs generate, such as file names. */
const NO_TITLE =
	/^(?:\s*$|untitled|microsoft word - |powerpoint presentation$)|\.(?:docx?|dvi|tex|indd|qxd|p65|pptx?|odt|fm)$/i;

/** Converts `D:20240131120000+01'00'` to ISO 8601. Other text stays unchanged. */
function dateOr(value: string): string {
	const [, year, month = "01", day = "01", time = ""] = /^D:(\d{4})(\d\d)?(\d\d)?(\d{6})?/.exec(value) ?? [];
	if (year === undefined) return value;
	const zone = /([+-])(\d\d)'(\d\d)/.exec(value);
	const clock = time.replace(/(\d\d)(\d\d)(\d\d)/, "T$1:$2:$3");
	return `${year}-${month}-${day}${clock}${clock && zone ? `${zone[1]}${zone[2]}:${zone[3]}` : clock && "Z"}`;
}

function textsOf(value: unknown): string[] {
	const values: unknown[] = Array.isArray(value) ? value : [value];
	return values.filter((each): each is string => typeof each === "string" && each.trim() !== "");
}
