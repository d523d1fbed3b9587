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

/** What it says, or why it is not read. */
export type FileOutcome = ParsedDocument | { readonly skipped: string };

/** A kind of file that is no text. */
export interface FileFormat {
	readonly id: string;
	readonly extensions: readonly string[];
	/** May throw for what is in the file: then it cannot be read. */
	read(file: SourceFile): Promise<FileOutcome>;
}

/** A kind of file. One file in this folder each; `formats.ts` lists them. */
export interface Format {
	/** Short and lower-case, for example `markdown`. */
	readonly id: string;
	/** File name endings that choose it, lower-case and without the dot. */
	readonly extensions: readonly string[];
	/** Never rejects for what is in the file: what cannot be read becomes a problem at its line. */
	parse(source: Source): ParsedDocument | Promise<ParsedDocument>;
}

/** A text of rows that may be large: it is read piece by piece. */
export interface PieceFormat extends Omit<Format, "parse"> {
	parsePieces(uri: string, pieces: Iterable<string>): ParsedDocument | Promise<ParsedDocument>;
}
