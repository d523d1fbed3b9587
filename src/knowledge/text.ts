import { parseJson } from "../base/values.ts";
import type { ParsedDocument } from "../core/knowledge/document.ts";
import {
	type Block,
	createTablePassages,
	cutPassages,
	documentOfText,
	toBlocks,
} from "./passages/passages.ts";
import { fileName, fileStem, type Line, type Source, splitLines } from "./passages/source.ts";
import { withDataRecords } from "./records/dataRecords.ts";
import { jsonTree } from "./records/jsonTree.ts";
import { createRecords, kindIri } from "./records/records.ts";
import { withTextRecords } from "./records/textRecords.ts";
import { createObjectRecords, type Member } from "./records/treeRecords.ts";

const ELEMENT_END = /^(\s*)[}\]],$/;

/** Blocks at paragraphs, or at the outermost elements of pretty-printed JSON. */
function dataBlocks(lines: readonly Line[]): Block[] {
	const indentOf = ({ text }: Line) => ELEMENT_END.exec(text)?.[1]?.length;
	const indents = lines.flatMap((line) => indentOf(line) ?? []);
	const outermost = Math.min(...indents);
	if (indents.length === 0) return toBlocks(lines, "lines");
	const ends = lines.flatMap((line, index) => (indentOf(line) === outermost ? [index + 1] : []));
	const parts = [0, ...ends].map((start, index) => lines.slice(start, ends[index]));
	return parts.flatMap((part) => toBlocks(part, "lines"));
}

export function parseText({ uri, text }: Source): ParsedDocument {
	const name = fileName(uri);
	const blocks = dataBlocks(splitLines(text));
	const document = documentOfText(name, cutPassages(name, blocks));
	// Text records come only from files that people write, not from settings, data and logs.
	return /(?:^|\.)(?:txt|text|readme|todo)$/i.test(name)
		? withTextRecords(document, { uri, sections: [{ path: [], blocks }] })
		: withDataRecords(document, { uri, text });
}

/** Maximum number of characters of one object. */
const MAX_OBJECT = 1_000_000;
/** Number of characters that are processed together, to limit memory. */
const PIECE = 2_000_000;

/** Splits a text at line breaks into pieces. A small text is one piece. */
function* textPieces(text: string): Generator<string> {
	let from = 0;
	do {
		const isRest = text.length - from <= PIECE;
		const end = isRest ? text.length : text.indexOf("\n", from + PIECE) + 1 || text.length;
		yield text.slice(from, end);
		from = end;
	} while (from < text.length);
}

export function parseJsonLines({ uri, text }: Source): ParsedDocument {
	const title = fileName(uri);
	const records = createRecords();
	const passages = createTablePassages(title);
	const kind = kindIri(fileStem(uri));
	const addObjects = createObjectRecords(kind, records);
	let first = 1;
	for (const piece of textPieces(text)) {
		const lines = splitLines(piece, first);
		passages.add(first, () => dataBlocks(lines));
		const found = lines.filter(({ text }) => /^\s*\{/.test(text) && text.length <= MAX_OBJECT);
		if (records.isFull) records.skip(kind, found.length);
		else addObjects(found.flatMap((line) => memberOn(line, uri)));
		// The line break at the end of a piece adds an empty line.
		first += lines.length - 1;
	}
	return records.addTo(documentOfText(title, passages.passages, passages.problems()));
}

function memberOn({ text, lines }: Line, uri: string): Member[] {
	const map = jsonTree(parseJson(text), lines);
	return map?.kind === "map" ? [{ subject: `${uri}#line=${lines.start}`, map }] : [];
}
