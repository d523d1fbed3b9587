import { referenceOf } from "../base/files/paths.ts";
import { decodedPart } from "../base/rdf/vocabulary.ts";
import type { NamedText, Names, WrittenName } from "./name.ts";
import { isIri } from "./resolveIri.ts";

const FRONT_MATTER = /^---[^\S\r\n]*(?:\r\n|\r|\n)[\s\S]*?(?:\r\n|\r|\n)(?:---|\.\.\.)[^\S\r\n]*(?=[\r\n]|$)/;
const IRI = /(?<![\w<>/])(?:https?:\/\/|urn:)[^\s<>"{}|\\^`'\],]+/g;
const WIKILINK = /\[\[([^[\]|#\n]{0,300})(?:#[^[\]|\n]{0,300})?(?:\|[^[\]\n]{0,300})?\]\]/g;
const LINK = /\]\(\s*<?((?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/g;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:\s*<?([^\s<>]+)>?/gm;
const AUTOLINK = /<((?:https?:\/\/|urn:)[^\s<>]+)>/g;

/** Code blocks and inline code, which contain no links. */
const CODE =
	/^( {0,3})(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\2[`~]*\s*$|$(?![\s\S]))|(?<!`)(`+)(?!`)[^\n]{0,1000}?[^`\n]\3(?!`)/gm;

/** Names in front matter, links and `[[wikilinks]]`. */
export function markdownNames({ uri, text }: NamedText): Names {
	const [frontMatter = ""] = FRONT_MATTER.exec(text) ?? [];
	const blank = (code: string) => code.replace(/[^\n\r]/g, " ");
	const body = blank(frontMatter) + text.slice(frontMatter.length).replace(CODE, blank);
	const names = [
		...found(frontMatter, IRI, (iri) => ({ iri, spell: bare })),
		...found(body, WIKILINK, (name) => noteNamed(name, uri)),
		...[LINK, DEFINITION, AUTOLINK].flatMap((pattern) => found(body, pattern, (href) => linkTo(href, uri))),
	];
	return { names: names.sort((a, b) => a.start - b.start), prefixes: new Map() };
}

type Naming = Pick<WrittenName, "iri" | "spell">;

/** The first group is the name, or the whole match. */
function found(text: string, pattern: RegExp, read: (word: string) => Naming | undefined): WrittenName[] {
	return [...text.matchAll(pattern)].flatMap(({ 0: whole, 1: word = whole, index }) => {
		const naming = word.trim() === "" ? undefined : read(word);
		const start = index + whole.indexOf(word);
		return naming ? [{ ...naming, start, end: start + word.length }] : [];
	});
}

/** A note is a file in the same folder, or the index knows where it is. */
function noteNamed(name: string, uri: string): Naming | undefined {
	const isFile = /\.\w+$/.test(name);
	const url = URL.parse(referenceOf(isFile ? name.trim() : `${name.trim()}.md`), uri);
	if (!url) return undefined;
	return {
		iri: url.href,
		spell: (iri) => {
			const spelled = iri.startsWith("file:") ? decodedPart(noteFrom(iri, uri, name.includes("/"))) : "";
			const note = isFile ? spelled : spelled.replace(/\.md$/, "");
			return note === "" || /[[\]|#\n]/.test(note) ? undefined : note;
		},
	};
}

/** Relative to the folder if it is below, or the name was a path; else the name alone. */
function noteFrom(iri: string, uri: string, isPath: boolean): string {
	const folder = uri.slice(0, uri.lastIndexOf("/") + 1);
	if (isPath || iri.startsWith(folder)) return addressFrom(iri, uri, "") ?? "";
	return iri.slice(iri.lastIndexOf("/") + 1);
}

function linkTo(href: string, uri: string): Naming | undefined {
	const url = href.startsWith("#") ? null : URL.parse(href, uri);
	if (!url || !/^(https?|file|urn|ftp):$/.test(url.protocol)) return undefined;
	const { hash } = url;
	url.hash = "";
	return {
		iri: hash === "" || url.protocol !== "file:" ? url.href + hash : url.href,
		spell: (iri) => addressFrom(iri, uri, hash),
	};
}

/** Relative to the file if it is near. */
function addressFrom(iri: string, uri: string, hash: string): string | undefined {
	if (!isIri(iri)) return undefined;
	const folder = uri.slice(0, uri.lastIndexOf("/") + 1);
	if (!iri.startsWith("file:")) return linkTo(iri, uri)?.iri === iri ? inFull(iri) : undefined;
	if (iri.startsWith(folder)) return iri.slice(folder.length) + hash;
	const parent = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
	return iri.startsWith(parent) ? `../${iri.slice(parent.length)}${hash}` : undefined;
}

/** Unquoted, as in front matter. */
function bare(iri: string): string | undefined {
	const [found] = iri.match(IRI) ?? [];
	return found === iri ? inFull(iri) : undefined;
}

function inFull(iri: string): string | undefined {
	return isIri(iri) && !/[()']/.test(iri) ? iri : undefined;
}
