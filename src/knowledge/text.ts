import { wordList } from "../base/words/wordList.ts";
import type { ParsedDocument } from "../core/knowledge/document.ts";
import { fileName } from "./passages/fileName.ts";
import type { Format, Source } from "./passages/format.ts";
import { splitLines } from "./passages/lines.ts";
import { cutPassages, toBlocks } from "./passages/passages.ts";

export const text: Format = {
	id: "text",
	extensions: wordList(`
		txt text log json jsonc json5 jsonl yaml yml toml ini cfg conf
		properties env xml xsd xsl xslt readme license licence notice authors changelog changes contributing
		todo codeowners editorconfig gitignore gitattributes
	`),
	parse: parseText,
};

/** A plain text: its paragraphs under the file's name. */
function parseText({ uri, text }: Source): ParsedDocument {
	const name = fileName(uri);
	const passages = cutPassages(name, toBlocks(splitLines(text), "lines"));
	return { title: name, resources: [], quads: [], passages, problems: [] };
}
