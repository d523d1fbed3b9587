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

export type FileOutcome = ParsedDocument | { readonly skipped: string };

/** Never rejects for a file's content: unreadable parts become problems. */
export type Parse = (source: Source) => ParsedDocument | Promise<ParsedDocument>;

export interface Attachment {
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** `undefined` if no reader handles the attachment. */
export type ReadAttachment = (attachment: Attachment) => Promise<string | undefined>;
