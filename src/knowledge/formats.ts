import { code } from "./code.ts";
import { fileEndings } from "./fileName.ts";
import type { Format } from "./format.ts";
import { html } from "./html/html.ts";
import { json } from "./json.ts";
import { jsonLd } from "./jsonLd.ts";
import { markdown } from "./markdown.ts";
import { notebook } from "./notebook.ts";
import { rdfXml } from "./rdfXml.ts";
import { text } from "./text.ts";
import { nQuads, nTriples, trig, turtle } from "./turtle.ts";

/** Every kind of file that is read; where two claim an ending, the first has it. */
const formats: readonly Format[] = [
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
	text,
];

const byEnding = new Map(
	formats.toReversed().flatMap((format) => format.extensions.map((ending) => [ending, format] as const)),
);

/** The format of a file by its name, if there is one. */
export function formatFor(uri: string): Format | undefined {
	return fileEndings(uri)
		.map((ending) => byEnding.get(ending))
		.find((format) => format !== undefined);
}
