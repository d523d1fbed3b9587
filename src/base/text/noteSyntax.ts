import { decodedPart } from "../rdf/vocabulary.ts";

export const NOTE = /^file:.*\.(?:md|markdown|mdx|qmd|rmd)$/i;

/** The name that links use for a file: lowercase, and without the extension of a note. */
export function linkName(uri: string): string {
	const name = uri.replace(/\/$/, "").replace(/^.*\//, "");
	const plain = decodedPart(NOTE.test(uri) ? name.replace(/\.\w+$/, "") : name);
	return plain.normalize().toLowerCase();
}

/** Matches `[[Note]]`, `[[Note#Heading]]`, `[[Note#^block]]`, `[[Note|words]]`, and in tables `[[Note\|words]]`. */
export const WIKILINK = /\[\[([^[\]|#\n]{0,300}?)((?:#[^[\]|#\n]{0,300}?)*)(?:\\?\|[^[\]\n]{0,300})?\]\]/g;

/** Namespace of tags: `#a/b` has the local name `a/b`. */
export const TAGS = "urn:copilot-ld:tag:";

const CODE_SPAN = /(`+)(?!`)[^\n]{0,1000}?[^`\n]\1(?!`)/g;

const TAG =
	/(?<!\S)#((?=[\p{N}\p{M}_/-]*[\p{L}\p{Extended_Pictographic}])[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]{1,200})/gu;

/** Tags in Markdown outside of code spans, each with the index after its `#`. */
export function tagsIn(text: string) {
	if (!text.includes("#")) return [];
	const plain = text.replace(CODE_SPAN, (code) => " ".repeat(code.length));
	return Array.from(plain.matchAll(TAG), ({ 1: tag = "", index }) => ({ tag, index: index + 1 }));
}

/** Tags in a value of front matter: a list, or words separated by commas or blanks. */
export function tagsInValue(value: string) {
	const words = value.matchAll(/[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]+/gu);
	const tags = Array.from(words, ({ 0: tag, index }) => ({ tag, index }));
	return tags.filter(({ tag }) => /[^\p{N}/_-]/u.test(tag));
}

export function tagIri(tag: string): string {
	const path = tag.toLowerCase().replace(/^\/+|\/+$/g, "");
	return TAGS + path.split("/").map(encodeURIComponent).join("/");
}

/** Splits an IRI into a file and a fragment with `#`. The fragment is empty if the file is not a note. */
export function placeInNote(iri: string): readonly [file: string, place: string] {
	const at = iri.indexOf("#");
	const file = at < 0 ? iri : iri.slice(0, at);
	return NOTE.test(file) ? [file, iri.slice(file.length)] : [iri, ""];
}

/** Normalizes the spelling of a heading or a block in a note; returns other IRIs unchanged. */
export function samePlace(iri: string): string {
	const [file, place] = placeInNote(iri);
	return place === "" ? iri : `${file}#${placeKey(decodedPart(place.slice(1)))}`;
}

/** Normalized spelling: `Two *words*!`, `two-words` and `Two words` are one heading. */
function placeKey(place: string): string {
	const words = place.normalize().toLowerCase().trim();
	if (words.startsWith("^")) return words;
	return words
		.replace(/<[^<>]*>|\]\([^()]*\)/g, "")
		.replace(/[^\p{L}\p{N}\p{M}\s-]/gu, "")
		.replace(/[\s-]+/g, "-")
		.replace(/^-|-$/g, "");
}
