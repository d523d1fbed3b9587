import type { PDFDocumentProxy } from "pdfjs-dist/types/src/display/api.js";

/** Levels of headings by page, from 0, and by their words. */
export type Headings = ReadonlyMap<number, ReadonlyMap<string, number>>;

type Outline = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>;

/** Entries that are followed: a larger outline is an index. */
const MOST = 5000;
const DEEPEST = 6;

/** What the outline calls a heading, and on which page. */
export async function headingsOf(document: PDFDocumentProxy): Promise<Headings> {
	const headings = new Map<number, Map<string, number>>();
	let left = MOST;
	const outline = await document.getOutline().catch(() => null);
	await follow(outline, 1);
	return headings;

	function note(page: number | undefined, title: string, level: number): void {
		if (page === undefined) return;
		const onPage = headings.get(page) ?? new Map<string, number>();
		headings.set(page, onPage.set(headingKey(title), level));
	}

	async function follow(entries: Outline | null | undefined, level: number): Promise<void> {
		for (const { title, dest, items } of entries ?? []) {
			if (--left < 0) return;
			note(await pageOf(document, dest).catch(() => undefined), title, level);
			if (level < DEEPEST) await follow(items as Outline, level + 1);
		}
	}
}

/** Outlines leave out numbers, spaces and line breaks as they like. */
export function headingKey(text: string): string {
	return text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, "")
		.replace(/^\d+(?=\p{L})/u, "");
}

async function pageOf(document: PDFDocumentProxy, dest: unknown): Promise<number | undefined> {
	const found: unknown = typeof dest === "string" ? await document.getDestination(dest) : dest;
	const [page] = Array.isArray(found) ? (found as unknown[]) : [];
	if (typeof page === "number") return page;
	const isReference = typeof page === "object" && page !== null && "num" in page && "gen" in page;
	return isReference ? document.getPageIndex(page as { num: number; gen: number }) : undefined;
}
