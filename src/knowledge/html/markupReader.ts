import type { Tag } from "./walkHtml.ts";

/** Reads one syntax of linked data out of a page. */
export interface MarkupReader {
	/** Whether the element is the value of a statement: its text, or what its text stands for. */
	open(tag: Tag): boolean;
	text(text: string): void;
	close(): void;
	end(): void;
	/** The page's `<base>` says what relative IRIs are relative to. */
	setBase(iri: string): void;
}

export interface MarkupOptions {
	/** Absolute IRI. */
	readonly base: string;
	/** Characters of text that values may take in all, however deep they are nested. */
	readonly textBudget: number;
}
