import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { Source } from "../passages/format.ts";
import { readAsciidoc } from "./asciidoc.ts";

import { readDelimited } from "./delimited.ts";

import { readLatex } from "./latex.ts";
import { readOrg } from "./org.ts";
import { readRestructuredText } from "./restructuredText.ts";
import { readSubtitles } from "./subtitles.ts";

const READERS: Readonly<Record<string, (source: Source) => ParsedDocument>> = {
	asciidoc: readAsciidoc,
	restructuredtext: readRestructuredText,
	latex: readLatex,
	org: readOrg,
	subtitles: readSubtitles,
};

export function readText(format: string, source: Source): ParsedDocument {
	const read = READERS[format];
	if (!read) throw new Error(`there is no reader for ${format}`);
	return read(source);
}

export function readTable(uri: string, pieces: Iterable<string>): ParsedDocument {
	return readDelimited(uri, pieces);
}
