import { isNaming } from "../../base/rdf/naming.ts";
import { SCHEMA, XSD } from "../../base/rdf/vocabulary.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { literal, type NamedNode, namedNode } from "../../core/knowledge/rdf.ts";
import type { Section } from "../passages/sections.ts";
import { fileName, only } from "../passages/source.ts";
import { addBlocks } from "./blockRecords.ts";
import { dateIn } from "./naming.ts";
import { createRecords, folderIri, keyIri, type Records } from "./records.ts";
import { createHeadings, createLineIris } from "./tableRecords.ts";

interface RecordText {
	readonly uri: string;
	readonly sections: readonly Section[];
	readonly plain?: (text: string) => string;
	/** Whether the document's own statements make the document a record. */
	readonly isRecord?: boolean;
}

/** Index files do not represent the kind of documents in their folder. */
const INDEX_FILE = /^(?:readme|index|_index|contents?)(?:\.|$)/i;

export function withTextRecords(document: ParsedDocument, text: RecordText): ParsedDocument {
	const { uri, sections, plain = (words) => words, isRecord = false } = text;
	const name = fileName(uri);
	const records = createRecords();
	const target = { records, lineIris: createLineIris(uri), plain };
	const enter = createHeadings(uri, sections, target);
	const stateDate = (date: string, subject: NamedNode, lines = only(1)) =>
		records.state(subject, keyIri("date"), literal(date, `${XSD}date`), lines);
	const own = dateIn(name);
	if (own) stateDate(own, namedNode(uri));
	for (const section of sections) {
		const place = enter(section);
		const date = place.lines && dateIn(place.heading);
		if (date && date !== own) stateDate(date, place.thing(), place.lines);
		addBlocks(section.blocks, place, target);
	}
	if (records.size > 0 || isRecord) stateDocument(records, document, uri);
	return records.addTo(document);
}

/** Names the document unless a statement does. The document's class is its folder. */
function stateDocument(records: Records, { title, quads }: ParsedDocument, uri: string): void {
	const subject = namedNode(uri);
	const folder = INDEX_FILE.test(fileName(uri)) ? "" : folderOf(uri);
	records.add({ subject, ...(folder && { kind: folderIri(folder) }), label: title, lines: only(1) });
	const isNamed = quads.some((quad) => quad.subject.value === uri && isNaming(quad.predicate.value));
	if (!isNamed) records.state(subject, `${SCHEMA}name`, literal(title), only(1));
}

/** Name of the folder; empty at the root. */
function folderOf(uri: string): string {
	const folder = fileName(uri.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/\/[^/]*$/, ""));
	return /^[a-z]:$/i.test(folder) ? "" : folder;
}
