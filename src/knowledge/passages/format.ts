import { decodedPart } from "../../base/rdf/vocabulary.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";

export interface Source {
	readonly uri: string;
	/** Without a byte order mark; line ends as in the file. */
	readonly text: string;
}

export interface SourceFile {
	readonly uri: string;
	readonly bytes: Uint8Array;
}

/** Never rejects for a file's content: unreadable parts become problems. */
export type Parse = (source: Source) => ParsedDocument | Promise<ParsedDocument>;

export interface Attachment {
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** `undefined` if no reader handles the attachment. */
export type ReadAttachment = (attachment: Attachment) => Promise<string | undefined>;

export function fileName(uri: string): string {
	const path = uri.replace(/[?#].*$/, "");
	return decodedPart(path.slice(path.lastIndexOf("/") + 1));
}

/** Endings that may choose a format, longest first: `a.d.ts` gives `a.d.ts`, `d.ts`, `ts`. */
export function fileEndings(uri: string): string[] {
	const parts = fileName(uri).toLowerCase().split(".");
	return parts.map((_, index) => parts.slice(index).join(".")).filter((ending) => ending !== "");
}

export function fileStem(uri: string): string {
	return fileName(uri).replace(/(?<=.)\.[^.]*$/, "");
}
