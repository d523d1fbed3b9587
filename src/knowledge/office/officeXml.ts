import { posix } from "node:path";
import { wordMap } from "../../base/words/wordList.ts";
import { inflateEntry, readZipDirectory, type ZipEntry } from "../../base/zip/zipDirectory.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { decodeText } from "../passages/decodeText.ts";
import type { ReadAttachment, SourceFile } from "../passages/source.ts";
import { NestingParser } from "../readable/walkHtml.ts";
import type { DocumentFacts, Fact } from "../resources/documentFacts.ts";
import { Unreadable } from "./extract.ts";

/** Reads a file. Throws `Unreadable` for an unsupported file, and other errors for a broken file. */
export type OfficeRead = (file: SourceFile, read: ReadAttachment) => ParsedDocument | Promise<ParsedDocument>;

/** Properties of schema.org by local name of a property in Microsoft and OpenDocument files. */
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
			// OpenDocument dates have nanoseconds, which other programs do not expect.
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

export function readRelations(xml: string): Map<string, string> {
	const relations = elementsNamed("Relationship", xml);
	return new Map(relations.map((attribute) => [attribute("Id") ?? "", attribute("Target") ?? ""]));
}

export function resolvePath(from: string, target: string): string {
	return posix.resolve("/", posix.dirname(from), target).slice(1);
}

export type Archive = ReturnType<typeof openArchive>;

/** Maximum total size of unpacked files in bytes. Larger archives are bombs or not documents. */
const MAX_BYTES = 400_000_000;
/** Maximum size of one unpacked file in bytes. */
const MAX_ENTRY = 150_000_000;
const MAX_ENTRIES = 20_000;
/** Maximum compression ratio of genuine text. */
const MAX_RATIO = 1000;

/** Signature of compound files, which contain encrypted documents. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/** Opens an archive. Rejects bombs before unpacking; unpacks wanted files on request. */
export function openArchive(bytes: Uint8Array, isWanted: (name: string) => boolean) {
	if (COMPOUND_FILE.every((byte, at) => bytes[at] === byte))
		throw new Unreadable("it is encrypted, or of an older version of its program");
	const directory = readZipDirectory(bytes);
	if (directory.count > MAX_ENTRIES) throw new Unreadable("its archive has too many files");
	const named = (entry: ZipEntry) => [new TextDecoder().decode(entry.name), entry] as const;
	const entries = Array.from(directory.entries(), named);
	const wanted = new Map(entries.filter(([name]) => isWanted(name)));
	let total = 0;
	for (const { size, packed, isEncrypted } of wanted.values()) {
		if (isEncrypted) throw new Unreadable("it is encrypted with a password");
		total += size;
		const isBomb = size > 1_000_000 && size > packed.length * MAX_RATIO;
		if (isBomb || size > MAX_ENTRY || total > MAX_BYTES)
			throw new Unreadable("its archive unpacks to too much");
	}
	return {
		names: entries.map(([name]) => name),
		/** Text of a file; empty if the file is missing or not wanted. */
		text: (name: string) => {
			const entry = wanted.get(name);
			return entry ? (decodeText(unpacked(entry)) ?? "") : "";
		},
	};
}

const STORED = 0;
const DEFLATED = 8;

function unpacked({ method, packed, size }: ZipEntry): Uint8Array {
	if (method === STORED) return packed;
	if (method !== DEFLATED) throw new Unreadable("its archive uses an unsupported compression");
	try {
		return inflateEntry(packed, size);
	} catch {
		throw new Unreadable("its archive is broken, or unpacks to more than stated");
	}
}

interface ElementEvents {
	readonly opened?: Readonly<Record<string, (attribute: Attributes) => void>>;
	readonly closed?: Readonly<Record<string, () => void>>;
	text?(text: string): void;
	/** Elements whose direct text is reported; absent for all elements. */
	readonly textIn?: readonly string[];
	readonly silent?: readonly string[];
}

export type Attributes = (name: string) => string | undefined;

/** Walks elements. Ignores declared entities, which could expand endlessly, and tolerates malformed XML. */
export function walkElements(xml: string, events: ElementEvents): void {
	const { opened = {}, closed = {} } = events;
	const [textIn, silent] = [events.textIn && new Set(events.textIn), new Set(events.silent)];
	let [depth, silentDepth] = [0, 0];
	let isText = textIn === undefined;
	const parser = new NestingParser(
		() => depth,
		{
			onopentag(fullName, attributes) {
				const name = localName(fullName);
				depth++;
				if (silent.has(name)) silentDepth++;
				if (textIn) isText = textIn.has(name);
				if (silentDepth === 0 && Object.hasOwn(opened, name)) opened[name]?.((wanted) => attributes[wanted]);
			},
			onclosetag(fullName) {
				const name = localName(fullName);
				depth--;
				if (textIn) isText = false;
				if (silent.has(name)) silentDepth--;
				else if (silentDepth === 0 && Object.hasOwn(closed, name)) closed[name]?.();
			},
			ontext: (more) => (isText && silentDepth === 0 ? events.text?.(more) : undefined),
		},
		{ xmlMode: true },
	);
	parser.end(xml);
}

export function elementsNamed(name: string, xml: string): Attributes[] {
	const found: Attributes[] = [];
	walkElements(xml, { opened: { [name]: (attribute) => found.push(attribute) } });
	return found;
}

/** Reports the text of the named elements, in the order of their end tags. */
export function walkTexts(
	xml: string,
	names: readonly string[],
	take: (text: string, name: string) => void,
	limits: { readonly textIn?: readonly string[]; readonly silent?: readonly string[] } = {},
): void {
	let text = "";
	const begin = () => {
		text = "";
	};
	walkElements(xml, {
		...limits,
		opened: Object.fromEntries(names.map((name) => [name, begin])),
		closed: Object.fromEntries(names.map((name) => [name, () => take(text, name)])),
		text: (more) => {
			text += more;
		},
	});
}

function localName(name: string): string {
	return name.slice(name.indexOf(":") + 1);
}
