import type { ParsedDocument } from "../core/knowledge/document.ts";
import { fileName } from "./passages/fileName.ts";
import type { Source } from "./passages/format.ts";
import { type Line, splitLines } from "./passages/lines.ts";
import { type Block, cutPassages, documentOfText, toBlocks } from "./passages/passages.ts";
import { withDataRecords } from "./records/dataRecords.ts";
import { withTextRecords } from "./records/textRecords.ts";

/** Ends an array element or object member, if it is on its own line. */
const ELEMENT_END = /^(\s*)[}\]],$/;

/** Paragraphs, or the outermost elements of pretty-printed JSON. */
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

export function parseText({ uri, text }: Source): ParsedDocument {
	const name = fileName(uri);
	const blocks = dataBlocks(splitLines(text));
	const document = documentOfText(name, cutPassages(name, blocks));
	return isPlainText(name)
		? withTextRecords(document, { uri, sections: [{ path: [], blocks }] })
		: withDataRecords(document, { uri, text });
}

/** Whether people write the file, not settings, data or logs. */
function isPlainText(name: string): boolean {
	return /(?:^|\.)(?:txt|text|readme|todo)$/i.test(name);
}
