import { wordList } from "../base/wordList.ts";
import type { ParsedDocument } from "../core/knowledge/document.ts";
import { fileName } from "./passages/fileName.ts";
import type { Format, Source } from "./passages/format.ts";
import { splitLines } from "./passages/lines.ts";
import { cutPassages, toBlocks } from "./passages/passages.ts";
import { shorten, squeeze } from "./passages/words.ts";

export const text: Format = {
	id: "text",
	extensions: wordList(`
		txt text rst adoc asciidoc org tex log csv tsv json jsonc json5 jsonl yaml yml toml ini cfg conf
		properties env xml xsd xsl xslt readme license licence notice authors changelog changes contributing
		todo codeowners editorconfig gitignore gitattributes srt vtt
	`),
	parse: parseText,
};

/** Characters of the names of a table's columns that are told. */
const MAX_HEADER = 200;

/** A plain text: its paragraphs under the file's name, for a table with the names of its columns. */
function parseText({ uri, text }: Source): ParsedDocument {
	const name = fileName(uri);
	const lines = splitLines(text);
	const header = /\.[ct]sv$/i.test(name) ? shorten(squeeze(lines[0]?.text ?? ""), MAX_HEADER) : "";
	const passages = cutPassages(header ? `${name} › ${header}` : name, toBlocks(lines, "lines"));
	return { title: name, resources: [], quads: [], passages, problems: [] };
}
