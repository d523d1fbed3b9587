import type { PDFDocumentProxy } from "pdfjs-dist/types/src/display/api.js";
import type { FileOutcome, SourceFile } from "../../passages/format.ts";
import { squeeze } from "../../passages/words.ts";
import type { Link } from "../../resources/documentFacts.ts";
import { createExtract, type Extract } from "../extract.ts";
import { Unreadable } from "../unreadable.ts";
import { addPage, headingSizes, type Typography } from "./blocks.ts";
import { openPdf } from "./openPdf.ts";
import { headingsOf } from "./outline.ts";
import { readPdfFacts } from "./pdfFacts.ts";
import { linesInOrder, type PageLine } from "./readingOrder.ts";
import { segmentsOf } from "./segments.ts";

/** Pages of one file; a longer one is an archive. */
const MAX_PAGES = 5000;
/** How long the reading of one file may take before the rest is left out. */
const MAX_MS = 90_000;

/** PDF: a part for each page, lines in reading order, headings by the outline and by size. */
export async function readPdf({ uri, bytes }: SourceFile): Promise<FileOutcome> {
	let document: PDFDocumentProxy | undefined;
	try {
		document = await openPdf(bytes);
		return await readOpened(uri, document);
	} catch (thrown) {
		if (thrown instanceof Unreadable) return { skipped: thrown.message };
		throw thrown;
	} finally {
		await document?.loadingTask.destroy();
	}
}

interface Page {
	readonly lines: readonly PageLine[];
	readonly hrefs: readonly string[];
	readonly isBroken: boolean;
}

async function readOpened(uri: string, document: PDFDocumentProxy): Promise<FileOutcome> {
	const pages = await readPages(document);
	const extract = createExtract();
	const typography: Typography = {
		levels: headingSizes(pages.flatMap(({ lines }) => lines)),
		headings: await headingsOf(document),
	};
	const links: Link[] = [];
	for (const [index, { lines, hrefs }] of pages.entries()) {
		extract.begin({ name: `p${index + 1}`, goesOn: true });
		const line = extract.next;
		addPage(extract, lines, { ...typography, page: index });
		for (const href of hrefs) links.push({ href, line });
	}
	if (extract.isEmpty) return { skipped: NO_TEXT };
	reportGaps(extract, pages, document.numPages);
	const facts = await readPdfFacts(document);
	return extract.finish(uri, { ...facts, links });
}

const NO_TEXT = "no text layer: it seems to be scanned";

async function readPages(document: PDFDocumentProxy): Promise<Page[]> {
	const pages: Page[] = [];
	const last = Math.min(document.numPages, MAX_PAGES);
	const until = performance.now() + MAX_MS;
	for (let number = 1; number <= last && performance.now() < until; number++)
		pages.push(await readPage(document, number));
	return pages;
}

/** A page that cannot be read is told; the others are not touched. */
async function readPage(document: PDFDocumentProxy, number: number): Promise<Page> {
	try {
		const page = await document.getPage(number);
		const { items, styles } = await page.getTextContent();
		const hrefs = hrefsOf(await page.getAnnotations());
		page.cleanup();
		return { lines: linesInOrder(segmentsOf(items, styles)), hrefs, isBroken: false };
	} catch {
		return { lines: [], hrefs: [], isBroken: true };
	}
}

function hrefsOf(annotations: readonly { readonly url?: unknown }[]): string[] {
	return annotations.flatMap(({ url }) => (typeof url === "string" ? [url] : []));
}

/** What is missing, in words for a person. */
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
