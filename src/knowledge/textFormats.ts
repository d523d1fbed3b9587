import type { Format } from "./passages/format.ts";

/** Texts in a form of their own, whose readers are loaded when the first such file comes. */
export const textFormats: readonly Format[] = [
	textFormat("asciidoc", ["adoc", "asciidoc"]),
	textFormat("restructuredtext", ["rst"]),
	textFormat("latex", ["tex", "latex", "ltx"]),
	textFormat("org", ["org"]),
	textFormat("table", ["csv", "tsv"]),
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
