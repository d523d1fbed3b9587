import { parseJson } from "../base/values.ts";
import type { ParsedDocument } from "../core/knowledge/document.ts";
import { fileName, fileStem } from "./passages/fileName.ts";
import { type Line, splitLines } from "./passages/lines.ts";
import { documentOfText } from "./passages/passages.ts";
import { createTablePassages } from "./passages/tablePassages.ts";
import { jsonTree } from "./records/jsonTree.ts";
import { kindIri } from "./records/recordIris.ts";
import { createRecords } from "./records/records.ts";
import { createObjectRecords, type Member } from "./records/treeRecords.ts";
import { dataBlocks } from "./text.ts";

/** Characters. */
const MAX_OBJECT = 1_000_000;

/** Objects in memory at once. */
const TOGETHER = 1000;

export function parseJsonLines(uri: string, pieces: Iterable<string>): ParsedDocument {
	const title = fileName(uri);
	const records = createRecords();
	const passages = createTablePassages(title);
	const kind = kindIri(fileStem(uri));
	const objects = createObjectRecords(kind, records);
	let first = 1;
	for (const piece of pieces) {
		const lines = splitLines(piece, first);
		passages.add(first, () => dataBlocks(lines));
		const found = lines.filter(({ text }) => isObject(text));
		for (let at = 0; at < found.length; at += TOGETHER) {
			const some = found.slice(at, at + TOGETHER);
			if (records.isFull) records.skip(kind, some.length);
			else objects.add(some.flatMap((line) => memberOn(line, uri)));
		}
		// A piece ends with a line break, which belongs to it.
		first += lines.length - 1;
	}
	return records.addTo(documentOfText(title, passages.passages, passages.problems()));
}

function isObject(text: string): boolean {
	return /^\s*\{/.test(text) && text.length <= MAX_OBJECT;
}

function memberOn({ text, lines }: Line, uri: string): Member[] {
	const map = jsonTree(parseJson(text), lines);
	return map?.kind === "map" ? [{ subject: `${uri}#line=${lines.start}`, map }] : [];
}
