import type { Tag } from "./walkHtml.ts";

export interface MarkupReader {
	/** Whether the element is the value of a statement. */
	open(tag: Tag): boolean;
	text(text: string): void;
	close(): void;
	end(): void;
	setBase(iri: string): void;
}

export interface MarkupOptions {
	readonly base: string;
	/** Characters of all values together, however deeply nested. */
	readonly textBudget: number;
}
