import type { PDFDocumentProxy } from "pdfjs-dist/types/src/display/api.js";

type Outline = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>;

/** Entries to follow: a larger outline is an index. */
const MOST = 5000;
const DEEPEST = 6;

/** Levels of headings by zero-based page and title. */
export async function headingsOf(document: PDFDocumentProxy) {
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

/** Outlines omit numbers, spaces and line breaks inconsistently. */
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
