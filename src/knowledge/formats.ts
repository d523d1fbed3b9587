import { code } from "./code.ts";
import { html } from "./html/html.ts";
import { jsonLines } from "./jsonLines.ts";
import { markdown } from "./markdown/markdown.ts";
import { notebook } from "./notebook.ts";
import { officeFormats } from "./officeFormats.ts";
import { fileEndings } from "./passages/fileName.ts";
import type { FileFormat, Format, PieceFormat } from "./passages/format.ts";
import { jsonLd, looksLikeJsonLd } from "./rdf/jsonLd/jsonLd.ts";
import { rdfXml } from "./rdf/rdfXml.ts";
import { nQuads, nTriples, trig, turtle } from "./rdf/turtle.ts";
import { text } from "./text.ts";
import { textFormats } from "./textFormats.ts";

/** Files named JSON are linked data where they say so, else text. */
export const json: Format = {
	id: "json",
	extensions: ["json"],
	parse: (source) => (looksLikeJsonLd(source.text) ? jsonLd.parse(source) : text.parse(source)),
};

/** Every kind of file that is read; where two claim an ending, the first has it. */
const formats: readonly (Format | FileFormat | PieceFormat)[] = [
	html,
	markdown,
	notebook,
	turtle,
	trig,
	nTriples,
	nQuads,
	jsonLd,
	rdfXml,
	json,
	code,
	jsonLines,
	...textFormats,
	text,
	...officeFormats,
];

const byEnding = new Map(
	formats.toReversed().flatMap((format) => format.extensions.map((ending) => [ending, format] as const)),
);

export function formatFor(uri: string): Format | FileFormat | PieceFormat | undefined {
	return fileEndings(uri)
		.map((ending) => byEnding.get(ending))
		.find((format) => format !== undefined);
}
