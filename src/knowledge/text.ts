import type { ParsedDocument } from "../core/knowledge/document.ts";
import { fileName } from "./passages/fileName.ts";
import type { Source } from "./passages/format.ts";
import { type Line, splitLines } from "./passages/lines.ts";
import { type Block, cutPassages, documentOfText, toBlocks } from "./passages/passages.ts";
import { withDataRecords } from "./records/dataRecords.ts";
import { withTextRecords } from "./records/textRecords.ts";

/** Ends an element of an array or a member of an object, if it is on a line of its own. */
const ELEMENT_END = /^(\s*)[}\]],$/;

/** Paragraphs; of JSON that is laid out, the outermost elements of which there are several. */
export function dataBlocks(lines: readonly Line[]): Block[] {
	const indents = lines.flatMap(({ text }) => ELEMENT_END.exec(text)?.[1]?.length ?? []);
	const outermost = Math.min(...indents);
	if (indents.length === 0) return toBlocks(lines, "lines");
	const ends = lines.flatMap(({ text }, index) =>
		ELEMENT_END.exec(text)?.[1]?.length === outermost ? [index + 1] : [],
	);
	const parts = [0, ...ends].map((start, index) => lines.slice(start, ends[index]));
	return parts.flatMap((part) => toBlocks(part, "lines"));
}

/** A plain text: its paragraphs under the file's name. */
export function parseText({ uri, text }: Source): ParsedDocument {
	const name = fileName(uri);
	const blocks = dataBlocks(splitLines(text));
	const document = documentOfText(name, cutPassages(name, blocks));
	return isPlainText(name)
		? withTextRecords(document, { uri, sections: [{ path: [], blocks }] })
		: withDataRecords(document, { uri, text });
}

/** Whether a file holds what people write, not settings, data or a log. */
function isPlainText(name: string): boolean {
	return /(?:^|\.)(?:txt|text|readme|todo)$/i.test(name);
}
