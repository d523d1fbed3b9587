import type { ParsedDocument } from "../../core/knowledge/document.ts";

/** One source file, decoded. */
export interface Source {
	readonly uri: string;
	/** Without a byte order mark; line ends as they are in the file. */
	readonly text: string;
}

/** One source file that is no text. */
export interface SourceFile {
	readonly uri: string;
	readonly bytes: Uint8Array;
}

/** What a file says, or why it is not read. */
export type FileOutcome = ParsedDocument | { readonly skipped: string };

/** Never rejects for what is in the file: what cannot be read becomes a problem at its line. */
export type Parse = (source: Source) => ParsedDocument | Promise<ParsedDocument>;

export interface Attachment {
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** The text of what is attached to a mail; `undefined` if nothing of ours reads it. */
export type ReadAttachment = (attachment: Attachment) => Promise<string | undefined>;
