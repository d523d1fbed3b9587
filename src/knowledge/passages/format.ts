import type { ParsedDocument } from "../../core/knowledge/document.ts";

/** One source file, decoded. */
export interface Source {
	readonly uri: string;
	/** Without a byte order mark; line ends as they are in the file. */
	readonly text: string;
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
