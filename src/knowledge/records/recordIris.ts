import { FOLDERS, KEYS, KINDS } from "../../base/rdf/vocabulary.ts";
import { shorten, squeeze } from "../passages/words.ts";

/** Characters of a name; longer ones are whole texts in the wrong place. */
const MAX_NAME = 200;

/** Numbers before a heading, as in `3. Actions` and `2.1 Risks`. */
const NUMBERING = /^(?:\d+(?:\.\d+)+[.)]?|\d+[.)])\s+/;

/** The class of the rows, items or objects that a heading, a file or a key names. */
export function kindIri(words: string): string {
	const name = squeeze(words);
	const bare = name.replace(/[\s:：]+$/, "").replace(NUMBERING, "");
	return KINDS + encodeURIComponent(nameOf(bare || name));
}

/** The class of the documents in a folder. */
export function folderIri(name: string): string {
	return FOLDERS + encodeURIComponent(nameOf(name));
}

export function keyIri(key: string): string {
	return KEYS + encodeURIComponent(nameOf(key));
}

/** The property of a column, as CSV on the Web has it: https://www.w3.org/TR/csv2rdf/ */
export function columnIri(uri: string, name: string): string {
	const encoded = encodeURIComponent(nameOf(name));
	return `${uri}#${encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/** The name of a column that has none, counted from 0. */
export function unnamedColumn(column: number): string {
	return `_col.${column + 1}`;
}

/** A step of a JSON pointer, as it may stand in an IRI: https://www.rfc-editor.org/rfc/rfc6901#section-6 */
export function pointerStep(key: string): string {
	return `/${encodeURIComponent(shorten(key, MAX_NAME).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"))}`;
}

function nameOf(text: string): string {
	return shorten(squeeze(text), MAX_NAME).toWellFormed();
}
