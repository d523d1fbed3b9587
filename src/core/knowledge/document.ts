import type { LineRange } from "./citation.ts";
import type { Quad } from "./rdf.ts";
import type { SectionSpan } from "./section.ts";

/** What became of a file: every file that was looked at has one, so "why is it not in the index?" has an answer. */
export type DocumentState =
	| { readonly kind: "indexed" }
	| { readonly kind: "skipped"; readonly reason: string }
	| { readonly kind: "failed"; readonly reason: string };

/** One line of the manifest. */
export interface DocumentRecord {
	/** `file:` URI of the source. */
	readonly uri: string;
	/** The format's id, for example `html`; `unknown` if no format fits. */
	readonly format: string;
	/** SHA-256 of the bytes, hex. Empty for a file that was not read. */
	readonly hash: string;
	/** Bytes. */
	readonly size: number;
	/** Milliseconds since the epoch. */
	readonly modifiedMs: number;
	readonly state: DocumentState;
	readonly title: string;
	readonly passages: number;
	readonly resources: number;
	readonly quads: number;
	readonly problems: readonly Problem[];
	/** What the extracted text of the file consists of. */
	readonly parts?: readonly DocumentPart[];
	/** Its passages have no vectors yet: only words find them. */
	readonly isPending?: true;
}

/** A page, slide, sheet, chapter or the like, and its lines in the extracted text. */
export interface DocumentPart {
	/** As places name it. */
	readonly name: string;
	/** The line of the extracted text that it begins with, and how many it has. */
	readonly line: number;
	readonly lines: number;
	/** Number of its first line within the part, if not 1: the first row of a sheet. */
	readonly first?: number;
	/** First and last column of a sheet, as `A:F`. */
	readonly columns?: string;
}

/** The text of a file that is no text. The lines of its statements and passages are lines of this. */
export interface ExtractedText {
	readonly text: string;
	/** In their order; none if the lines of the whole are cited. */
	readonly parts: readonly DocumentPart[];
}

/** Whether it can be found, but for a part that could not be read. */
export function isFlawed({ state, problems }: DocumentRecord): boolean {
	return state.kind === "indexed" && problems.length > 0;
}

export interface Problem {
	readonly severity: "error" | "warning" | "info";
	readonly message: string;
	readonly lines: LineRange;
}

export function problemAt(line: number, message: string, severity: Problem["severity"] = "error"): Problem {
	return { severity, message, lines: { start: line, end: line } };
}

export interface Resource {
	/** Its IRI, or `_:` and the document's canonical blank-node label. */
	readonly id: string;
	/** IRIs of its classes. */
	readonly types: readonly string[];
	readonly label: string;
	readonly lines: LineRange;
}

/** A piece of text that can be found and cited. */
export interface Passage {
	/** The heading path in a text, or "Type Label" of a resource. */
	readonly title: string;
	readonly text: string;
	readonly lines: LineRange;
	/** What its text consists of, in order; absent in indexes of older versions. */
	readonly sections?: readonly SectionSpan[];
	readonly resource?: string;
}

/** Everything that one file says; a function of its bytes and its URI alone. */
export interface ParsedDocument {
	readonly title: string;
	readonly resources: readonly Resource[];
	readonly quads: readonly Quad[];
	readonly passages: readonly Passage[];
	readonly problems: readonly Problem[];
	readonly extracted?: ExtractedText;
}
