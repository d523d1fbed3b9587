import { FOLDERS, KEYS, KINDS } from "../../base/rdf/vocabulary.ts";
import { shorten, squeeze } from "../passages/lines.ts";

/** Characters; longer names are whole texts in the wrong place. */
const MAX_NAME = 200;

/** As in `3. Actions` and `2.1 Risks`. */
const NUMBERING = /^(?:\d+(?:\.\d+)+[.)]?|\d+[.)])\s+/;

export function kindIri(words: string): string {
	const name = squeeze(words);
	const bare = name.replace(/[\s:：]+$/, "").replace(NUMBERING, "");
	return KINDS + encodeURIComponent(nameOf(bare || name));
}

export function folderIri(name: string): string {
	return FOLDERS + encodeURIComponent(nameOf(name));
}

export function keyIri(key: string): string {
	return KEYS + encodeURIComponent(nameOf(key));
}

/** See CSV on the Web: https://www.w3.org/TR/csv2rdf/ */
export function columnIri(uri: string, name: string): string {
	const encoded = encodeURIComponent(nameOf(name));
	return `${uri}#${encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/** `column` counts from 0. */
export function unnamedColumn(column: number): string {
	return `_col.${column + 1}`;
}

/** JSON pointer in an IRI: https://www.rfc-editor.org/rfc/rfc6901#section-6 */
export function pointerStep(key: string): string {
	return `/${encodeURIComponent(shorten(key, MAX_NAME).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"))}`;
}

function nameOf(text: string): string {
	return shorten(squeeze(text), MAX_NAME).toWellFormed();
}
