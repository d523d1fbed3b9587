import type { LineRange } from "./citation.ts";
import type { Quad } from "./rdf.ts";
import type { SectionSpan } from "./section.ts";

/** The result of indexing a file, with the reason if the file is not in the index. */
export type DocumentState =
	| { readonly kind: "indexed" }
	| { readonly kind: "skipped"; readonly reason: string }
	| { readonly kind: "failed"; readonly reason: string };

/** One line of the index manifest. */
export interface DocumentRecord {
	/** A `file:` URI. */
	readonly uri: string;
	/** The format's id, for example `html`; `unknown` if no format fits. */
	readonly format: string;
	/** SHA-256 of the bytes, in hex; empty if the file was not read. */
	readonly hash: string;
	/** Bytes. */
	readonly size: number;
	/** Milliseconds since 1970. */
	readonly modifiedMs: number;
	readonly state: DocumentState;
	readonly title: string;
	readonly passages: number;
	readonly resources: number;
	readonly quads: number;
	readonly problems: readonly Problem[];
	readonly parts?: readonly DocumentPart[];
	/** Set while the passages have no vectors: only word search finds such passages. */
	readonly isPending?: true;
}

/** A page, slide, sheet, chapter or similar part of an extracted text. */
export interface DocumentPart {
	/** The name as written in citations. */
	readonly name: string;
	/** First line in the extracted text; `lines` is the number of lines. */
	readonly line: number;
	readonly lines: number;
	/** Number of the part's first line, if not 1. A sheet starts at its first row. */
	readonly first?: number;
	/** First and last column of a sheet, for example `A:F`. */
	readonly columns?: string;
}

/** Text extracted from a binary file. Line numbers of statements and passages refer to this text. */
export interface ExtractedText {
	readonly text: string;
	/** Parts in order; empty if citations use lines of the whole text. */
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
	/** The IRI, or `_:` and the document's canonical blank-node label. */
	readonly id: string;
	/** IRIs of the resource's classes. */
	readonly types: readonly string[];
	readonly label: string;
	readonly lines: LineRange;
}

export interface Passage {
	/** The heading path in a text, or "Type Label" of a resource. */
	readonly title: string;
	readonly text: string;
	readonly lines: LineRange;
	/** The sections of `text` in order; absent in indexes of older versions. */
	readonly sections?: readonly SectionSpan[];
	readonly resource?: string;
}

/** The content of one file. Depends only on the file's bytes and URI. */
export interface ParsedDocument {
	readonly title: string;
	readonly resources: readonly Resource[];
	readonly quads: readonly Quad[];
	readonly passages: readonly Passage[];
	readonly problems: readonly Problem[];
	readonly extracted?: ExtractedText;
}
