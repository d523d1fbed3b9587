import { decodedPart } from "../../base/rdf/vocabulary.ts";
import { wordMap } from "../../base/words/wordList.ts";
import { createExtract, Unreadable } from "./extract.ts";
import { htmlPieces, tell } from "./flow.ts";
import {
	type Archive,
	elementsNamed,
	type OfficeRead,
	openArchive,
	readProperties,
	resolvePath,
} from "./officeXml.ts";

const WANTED = /\.(?:x?html?|opf|xml)$/i;

const PROPERTIES = wordMap(`
	creator=author contributor=contributor date=datePublished language=inLanguage subject=about
	description=description publisher=publisher identifier=identifier rights=license
`);

/** Reads each document of the spine as one part, in reading order. */
export const readEpub: OfficeRead = ({ uri, bytes }) => {
	const archive = openArchive(bytes, (name) => WANTED.test(name));
	if (/EncryptedData[\s\S]*\.x?html/i.test(archive.text("META-INF/encryption.xml")))
		throw new Unreadable("it is protected against copying");
	const root = rootOf(archive);
	const opf = archive.text(root);
	const extract = createExtract();
	const paths = spineOf(opf).map((href) => resolvePath(root, decodedPart(href.replace(/#.*$/, ""))));
	// Read repeated documents once, because a spine could repeat a document endlessly.
	for (const [index, path] of [...new Set(paths)].entries()) {
		const pieces = extract.lines.isFull ? [] : htmlPieces(archive.text(path));
		if (pieces.length > 0) extract.begin({ name: `ch${index + 1}`, goesOn: true });
		tell(extract, pieces);
	}
	const metadata = opf.replace(/<(?:\w+:)?manifest[\s\S]*$/, "");
	return extract.finish(uri, { type: "Book", ...readProperties(metadata, PROPERTIES) });
};

function rootOf(archive: Archive): string {
	const files = elementsNamed("rootfile", archive.text("META-INF/container.xml"));
	const [named] = files.flatMap((attribute) => attribute("full-path") || []);
	const root = named ?? archive.names.find((name) => name.endsWith(".opf"));
	if (!root) throw new Unreadable("it contains no book");
	return root;
}

function spineOf(opf: string): string[] {
	const items = elementsNamed("item", opf);
	const hrefs = new Map(items.map((attribute) => [attribute("id") ?? "", attribute("href") ?? ""]));
	return elementsNamed("itemref", opf).flatMap((attribute) => hrefs.get(attribute("idref") ?? "") ?? []);
}
