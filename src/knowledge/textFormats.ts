import type { ParsedDocument } from "../core/knowledge/document.ts";
import type { Format, PieceFormat } from "./passages/format.ts";

/** Texts in a form of their own, whose readers are loaded when the first such file comes. */
export const textFormats: readonly (Format | PieceFormat)[] = [
	textFormat("asciidoc", ["adoc", "asciidoc"]),
	textFormat("restructuredtext", ["rst"]),
	textFormat("latex", ["tex", "latex", "ltx"]),
	textFormat("org", ["org"]),
	{ id: "table", extensions: ["csv", "tsv"], parsePieces: parseTable },
	textFormat("subtitles", ["srt", "vtt"]),
];

function textFormat(id: string, extensions: readonly string[]): Format {
	return {
		id,
		extensions,
		parse: async (source) => {
			const { readText } = await import("./texts/readers.ts");
			return readText(id, source);
		},
	};
}

async function parseTable(uri: string, pieces: Iterable<string>): Promise<ParsedDocument> {
	const { readTable } = await import("./texts/readers.ts");
	return readTable(uri, pieces);
}
