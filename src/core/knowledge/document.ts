import type { LineRange } from "./citation.ts";
import type { Quad } from "./rdf.ts";
import type { SectionSpan } from "./section.ts";

/** The outcome for a file. Every file found has one, which answers "Why is it not in the index?" */
export type DocumentState =
	| { readonly kind: "indexed" }
	| { readonly kind: "skipped"; readonly reason: string }
	| { readonly kind: "failed"; readonly reason: string };

/** One line of the index manifest. */
export interface DocumentRecord {
	/** `file:` URI of the source. */
	readonly uri: string;
	/** The format's id, for example `html`; `unknown` if no format fits. */
	readonly format: string;
	/** SHA-256 of the bytes, in hex; empty if the file was not read. */
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
	/** The parts of the extracted text. */
	readonly parts?: readonly DocumentPart[];
	/** Set while the passages have no vectors: only word search finds them. */
	readonly isPending?: true;
}

/** A page, slide, sheet, chapter or the like, and its lines in the extracted text. */
export interface DocumentPart {
	/** The name as written in citations. */
	readonly name: string;
	/** First line in the extracted text; `lines` is the number of lines. */
	readonly line: number;
	readonly lines: number;
	/** Number of its first line within the part, if not 1: the first row of a sheet. */
	readonly first?: number;
	/** First and last column of a sheet, for example `A:F`. */
	readonly columns?: string;
}

/** The text extracted from a binary file. Lines of its statements and passages refer to this text. */
export interface ExtractedText {
	readonly text: string;
	/** In order; empty if citations use lines of the whole text. */
	readonly parts: readonly DocumentPart[];
}

/** Whether the document is searchable except for a part that could not be read. */
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
	/** The sections of the text, in order; absent in indexes of older versions. */
	readonly sections?: readonly SectionSpan[];
	readonly resource?: string;
}

/** The content of one file; depends only on its bytes and its URI. */
export interface ParsedDocument {
	readonly title: string;
	readonly resources: readonly Resource[];
	readonly quads: readonly Quad[];
	readonly passages: readonly Passage[];
	readonly problems: readonly Problem[];
	readonly extracted?: ExtractedText;
}
