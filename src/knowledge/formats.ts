import { code } from "./code.ts";
import { fileEndings } from "./fileName.ts";
import type { Format } from "./format.ts";
import { html } from "./html/html.ts";
import { markdown } from "./markdown.ts";
import { notebook } from "./notebook.ts";
import { text } from "./text.ts";

/** Every kind of file that is read; where two claim an ending, the first has it. */
const formats: readonly Format[] = [html, markdown, notebook, code, text];

const byEnding = new Map(
	formats.toReversed().flatMap((format) => format.extensions.map((ending) => [ending, format] as const)),
);

/** The format of a file by its name, if there is one. */
export function formatFor(uri: string): Format | undefined {
	return fileEndings(uri)
		.map((ending) => byEnding.get(ending))
		.find((format) => format !== undefined);
}
