import { referenceOf } from "../base/files/paths.ts";
import { decodedPart } from "../base/rdf/vocabulary.ts";
import { NOTE, samePlace, TAGS, tagIri, tagsIn, tagsInValue, WIKILINK } from "../base/text/noteSyntax.ts";
import { isIri } from "./iris.ts";
import type { NamedText, Names, WrittenName } from "./name.ts";

const FRONT_MATTER = /^---[^\S\r\n]*(?:\r\n|\r|\n)[\s\S]*?(?:\r\n|\r|\n)(?:---|\.\.\.)[^\S\r\n]*(?=[\r\n]|$)/;
const IRI = /(?<![\w<>/])(?:https?:\/\/|urn:)[^\s<>"{}|\\^`'\],]+/g;
const INLINE_LINK = /\]\(\s*<?((?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/g;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:\s*<?([^\s<>]+)>?/gm;
const LINKS = [INLINE_LINK, DEFINITION];
const AUTOLINK = /<((?:https?:\/\/|urn:)[^\s<>]+)>/g;
const TAG_VALUES = /^tags?:([^\r\n]*(?:[\r\n]+[ \t]*-[ \t][^\r\n]*|[\r\n]+[ \t]+\S[^\r\n]*)*)/gim;

/** `# Heading`, or a line that is underlined with `=` or `-`. */
const HEADING =
	/^ {0,3}#{1,6}[ \t]+(\S[^\r\n]{0,1000})$|^ {0,3}([^\s#>|*+-][^\r\n]{0,1000})\r?\n {0,3}(?:=+|-+)[ \t]*$/gm;
const HEADING_END = /(?:[ \t]+\^[a-z0-9-]+)?(?:[ \t]+#+)?[ \t]*$/i;
const BLOCK = /(?<![^\s\]])\^([a-z0-9-]+)[ \t]*$/gim;

const FENCE = /^( {0,3})(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\2[`~]*\s*$|$(?![\s\S]))/gm;

const CODE = /(?<!`)(`+)(?!`)[^\n]{0,1000}?[^`\n]\1(?!`)/g;

/** Finds names in front matter, links, `[[wikilinks]]` and tags, and headings and blocks that links can point to. */
export function markdownNames({ uri, text }: NamedText): Names {
	const [frontMatter = ""] = FRONT_MATTER.exec(text) ?? [];
	const blank = (code: string) => code.replace(/[^\n\r]/g, " ");
	const lines = blank(frontMatter) + text.slice(frontMatter.length).replace(FENCE, blank);
	const body = lines.replace(CODE, blank);
	const wikilinks = [...lines.matchAll(WIKILINK)].filter(({ index }) => body.startsWith("[[", index));
	const names = [
		...found(frontMatter, IRI, (iri) => ({ iri, spell: bare })),
		...frontMatter
			.matchAll(TAG_VALUES)
			.flatMap(({ 1: values = "", index, 0: whole }) =>
				tagsInValue(values).map((tag) => tagNamed(tag, index + whole.length - values.length)),
			),
		...tagsIn(body).map((tag) => tagNamed(tag, 0)),
		...wikilinks.flatMap((link) => namesInWikilink(link, uri)),
		...LINKS.concat(AUTOLINK).flatMap((pattern) => found(body, pattern, (href) => linkTo(href, uri))),
		...LINKS.flatMap((pattern) => [...body.matchAll(pattern)].flatMap((link) => placeInLink(link, uri))),
		...headings(lines, uri),
		...found(body, BLOCK, (id) => ({ ...placeNamed(uri, `^${id}`, toBlockId), place: "here" })),
	];
	return { names: names.sort((a, b) => a.start - b.start), prefixes: new Map() };
}

/** `length` is set if the name is only the beginning of the matched text. */
type Naming = Omit<WrittenName, "start" | "end"> & { readonly length?: number };

/** Finds names by a pattern, in the first group or, if there is no group, in the whole match. */
function found(text: string, pattern: RegExp, read: (word: string) => Naming | undefined): WrittenName[] {
	return [...text.matchAll(pattern)].flatMap(({ 0: whole, 1: word = whole, index }) => {
		const naming = word.trim() === "" ? undefined : read(word);
		const start = index + whole.indexOf(word);
		return naming ? [written(naming, start, naming.length ?? word.length)] : [];
	});
}

function written({ iri, spell, place }: Naming, start: number, length: number): WrittenName {
	return { iri, spell, start, end: start + length, ...(place && { place }) };
}

function tagNamed({ tag, index }: { tag: string; index: number }, from: number): WrittenName {
	const spell = (iri: string) => {
		const spelled = iri.startsWith(TAGS) ? decodedPart(iri.slice(TAGS.length)) : "";
		return tagsIn(`#${spelled}`)[0]?.tag === spelled ? spelled : undefined;
	};
	return written({ iri: tagIri(tag), spell }, from + index, tag.length);
}

function namesInWikilink({ 1: name = "", 2: places = "", index }: RegExpExecArray, uri: string) {
	const note = name.trim() === "" ? undefined : noteNamed(name, uri);
	if (name !== "" && !note) return [];
	let start = index + 2 + name.length;
	return [
		...(note ? [written(note, index + 2, name.length)] : []),
		...places
			.split("#")
			.slice(1)
			.map((place) => {
				const isBlock = place.startsWith("^");
				const naming = placeNamed(note?.iri ?? uri, place.trim(), isBlock ? toBlockId : toLinkedHeading);
				const at = start + (isBlock ? 2 : 1);
				start += 1 + place.length;
				return written(naming, at, start - at);
			}),
	];
}

function placeInLink({ 0: whole, 1: href = "", index }: RegExpExecArray, uri: string): WrittenName[] {
	const at = href.indexOf("#") + 1;
	const url = at > 0 ? URL.parse(href, uri) : undefined;
	if (url?.protocol !== "file:") return [];
	const start = index + whole.indexOf(href) + at;
	const old = href.slice(at);
	const isBlock = old.startsWith("^");
	const toSame = /^[\p{Ll}\p{N}_-]+$/u.test(old) ? toSlug : toEncodedHeading;
	const naming: Naming = { iri: url.href, spell: isBlock ? toBlockId : toSame, place: "link" };
	return [isBlock ? written(naming, start + 1, old.length - 1) : written(naming, start, old.length)];
}

/** Finds headings. Appends numbers to repeated headings, as anchors do. */
function headings(text: string, uri: string): WrittenName[] {
	const counts = new Map<string, number>();
	return [...text.matchAll(HEADING)].flatMap(({ 0: whole, 1: hashed, 2: word = hashed ?? "", index }) => {
		const heading = word.replace(HEADING_END, "");
		const { iri, spell } = placeNamed(uri, heading, toHeading);
		const key = samePlace(iri);
		const count = counts.get(key) ?? 0;
		counts.set(key, count + 1);
		const naming: Naming = { iri: count === 0 ? iri : `${iri}-${count}`, spell, place: "here" };
		return key.endsWith("#") ? [] : [written(naming, index + whole.indexOf(word), heading.length)];
	});
}

function placeNamed(file: string, place: string, spell: WrittenName["spell"]): Naming {
	return { iri: `${file}#${encodeURIComponent(place.toWellFormed())}`, spell, place: "link" };
}

function placeIn(iri: string): string {
	return iri.includes("#") ? decodedPart(iri.slice(iri.indexOf("#") + 1)) : "";
}

function toHeading(iri: string): string | undefined {
	const heading = placeIn(iri).trim();
	const isCut = /[\r\n]/.test(heading) || heading.replace(HEADING_END, "") !== heading;
	return isCut ? undefined : heading || undefined;
}

/** Replaces characters that would end the link. Links match headings without these characters. */
function toLinkedHeading(iri: string): string | undefined {
	const heading = toHeading(iri)?.replace(/[[\]|#^\\]+/g, " ");
	return heading?.trim() || undefined;
}

function toEncodedHeading(iri: string): string | undefined {
	const encoded = encodeURIComponent(toHeading(iri)?.toWellFormed() ?? "");
	return encoded.replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`) || undefined;
}

/** The anchor of a heading, built as GitHub and VS Code do. */
function toSlug(iri: string): string | undefined {
	const words = toHeading(iri)
		?.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "");
	return words?.replace(/\s/g, "-") || undefined;
}

function toBlockId(iri: string): string | undefined {
	return /^\^([a-z0-9-]+)$/i.exec(placeIn(iri))?.[1];
}

/** Names a note by a file in the same folder, which the index may replace by a file in another folder. */
function noteNamed(name: string, uri: string): Naming | undefined {
	const note = name.trim();
	const url = URL.parse(referenceOf(/\.\w+$/.test(note) ? note : `${note}.md`), uri);
	if (!url) return undefined;
	return {
		iri: url.href,
		spell: (iri) => {
			const spelled = iri.startsWith("file:") ? decodedPart(noteFrom(iri, uri, name.includes("/"))) : "";
			const short = spelled.replace(/\.md$/, "");
			const named = NOTE.test(`file:${note}`) || /\.\w+$/.test(short) ? spelled : short;
			return named === "" || /[[\]|#\n]/.test(named) ? undefined : named;
		},
	};
}

/** Relative path if the note is below the folder or was named by a path, else the file name only. */
function noteFrom(iri: string, uri: string, isPath: boolean): string {
	const folder = uri.slice(0, uri.lastIndexOf("/") + 1);
	if (isPath || iri.startsWith(folder)) return addressFrom(iri, uri) ?? "";
	return iri.slice(iri.lastIndexOf("/") + 1);
}

function linkTo(href: string, uri: string): Naming | undefined {
	const url = href.startsWith("#") ? null : URL.parse(href, uri);
	if (!url || !/^(https?|file|urn|ftp):$/.test(url.protocol)) return undefined;
	const spell = (iri: string) => addressFrom(iri, uri);
	if (url.protocol !== "file:" || url.hash === "") return { iri: url.href, spell };
	url.hash = "";
	return { iri: url.href, spell, length: href.indexOf("#") };
}

/** Address of an IRI in a link, relative if the file is on the same drive; `undefined` if no link can express it. */
function addressFrom(iri: string, uri: string): string | undefined {
	if (!isIri(iri)) return undefined;
	if (!iri.startsWith("file:")) return linkTo(iri, uri)?.iri === iri ? inFull(iri) : undefined;
	const [from, to] = [uri.split("/").slice(0, -1), iri.split("/")];
	const differing = from.findIndex((folder, at) => folder !== to[at]);
	const shared = differing < 0 ? from.length : differing;
	return shared > 3 ? "../".repeat(from.length - shared) + to.slice(shared).join("/") : undefined;
}

function bare(iri: string): string | undefined {
	const [found] = iri.match(IRI) ?? [];
	return found === iri ? inFull(iri) : undefined;
}

function inFull(iri: string): string | undefined {
	return isIri(iri) && !/[()']/.test(iri) ? iri : undefined;
}
