import { posix } from "node:path";
import { wordMap } from "../../base/words/wordList.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { ReadAttachment, SourceFile } from "../passages/format.ts";
import type { DocumentFacts, Fact } from "../resources/documentFacts.ts";
import { elementsNamed, walkTexts } from "./xml.ts";
import type { Archive } from "./zip.ts";

/** Throws `Unreadable` for files that must not be read, and other errors for broken ones. */
export type OfficeRead = (file: SourceFile, read: ReadAttachment) => ParsedDocument | Promise<ParsedDocument>;

/** Properties of Microsoft and OpenDocument, without prefix, as properties of schema.org. */
const PROPERTIES = wordMap(`
	creator=author initial-creator=author lastModifiedBy=editor created=dateCreated
	creation-date=dateCreated modified=dateModified date=dateModified language=inLanguage subject=about
	description=description keywords=keywords keyword=keywords category=articleSection publisher=publisher
	Company=publisher Pages=numberOfPages
`);

export function readProperties(xml: string, properties = PROPERTIES) {
	const values = new Map<string, Fact>();
	let title = "";
	walkTexts(xml, ["title", ...properties.keys()], (text, name) => {
		const value = text.trim();
		const property = properties.get(name);
		if (property === undefined) title ||= value;
		else if (value !== "") {
			// OpenDocument writes dates to the nanosecond.
			const told = value.replace(/(T\d\d:\d\d:\d\d)[.,]\d+/, "$1");
			const fact = { property, value: property === "numberOfPages" ? Number(value) : told };
			values.set(`${property} ${value}`, fact);
		}
	});
	return { title, values: [...values.values()] };
}

export function readOfficeFacts(archive: Archive, type: string): DocumentFacts {
	const core = readProperties(archive.text("docProps/core.xml"));
	const app = readProperties(archive.text("docProps/app.xml"));
	return { type, title: core.title, values: [...core.values, ...app.values] };
}

/** Targets by relation id. */
export function readRelations(xml: string): Map<string, string> {
	const relations = elementsNamed("Relationship", xml);
	return new Map(relations.map((attribute) => [attribute("Id") ?? "", attribute("Target") ?? ""]));
}

export function resolvePath(from: string, target: string): string {
	return posix.resolve("/", posix.dirname(from), target).slice(1);
}
