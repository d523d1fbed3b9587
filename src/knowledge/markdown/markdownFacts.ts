import type { Token } from "markdown-it";
import { referenceOf } from "../../base/files/paths.ts";
import { RDF_TYPE, SCHEMA } from "../../base/rdf/vocabulary.ts";
import { TAGS, tagIri, tagsIn, tagsInValue, WIKILINK } from "../../base/text/noteSyntax.ts";
import { wordMap } from "../../base/words/wordList.ts";
import { literal, type NamedNode, namedNode, type Quad, quad } from "../../core/knowledge/rdf.ts";
import { only } from "../passages/source.ts";
import { distinct } from "../rdf/rdfDocument.ts";
import type { Link } from "../resources/documentFacts.ts";
import { literalOf, literalOfQuoted } from "../resources/literals.ts";
import type { FrontMatter, FrontMatterValue } from "./frontMatter.ts";

export interface MarkdownContent {
	readonly uri: string;
	readonly frontMatter: FrontMatter;
	readonly tokens: readonly Token[];
}

/** Properties of schema.org by lower-case key of front matter. */
const PROPERTIES = wordMap(`
	title=name name=name description=description summary=description abstract=abstract author=author
	authors=author date=datePublished published=datePublished datepublished=datePublished
	updated=dateModified modified=dateModified lastmod=dateModified tags=keywords tag=keywords
	keywords=keywords categories=articleSection category=articleSection aliases=alternateName
	alias=alternateName alternatename=alternateName
	lang=inLanguage language=inLanguage license=license version=version about=about mentions=mentions
	publisher=publisher contributor=contributor editor=editor ispartof=isPartOf sameas=sameAs url=url
	image=image datemodified=dateModified datecreated=dateCreated
`);

const ID_KEYS = ["id", "@id"];
const TYPE_KEYS = ["type", "@type"];

/** Namespace of keys without a property of schema.org. */
export const FRONT_MATTER_KEYS = "urn:copilot-ld:frontmatter:";

const LINK = `${SCHEMA}citation`;

/** Omits links and tags, because the text around a link says more than the link's IRI. */
export function withoutLinks(quads: readonly Quad[]): readonly Quad[] {
	return quads.filter(({ predicate, object }) => predicate.value !== LINK && !object.value.startsWith(TAGS));
}

export function subjectOf({ values }: FrontMatter, uri: string): NamedNode {
	return namedNode(values.find(isId)?.text ?? uri);
}

function isId({ key, text }: FrontMatterValue): boolean {
	return ID_KEYS.includes(key) && isIri(text);
}

export function markdownFacts({ uri, frontMatter, tokens }: MarkdownContent): Quad[] {
	const firstLine = frontMatter.lineCount + 1;
	const named = frontMatter.values.find(isId);
	const document = subjectOf(frontMatter, uri);
	const values = frontMatter.values.flatMap(namesApart).map((value) => {
		const { key, text, lines } = value;
		if (value === named) return quad(document, `${SCHEMA}url`, namedNode(uri), lines);
		const type = classOf(value);
		if (type) return quad(document, RDF_TYPE, namedNode(type), lines);
		// Use the datatype that the shortened text would get, but keep the whole text.
		const typed = value.isQuoted ? literalOfQuoted(text) : literalOf(text);
		const object = isIri(text) ? namedNode(text) : literal(text, typed.datatype);
		return quad(document, propertyOf(key), object, lines);
	});
	const inline = tokens.filter(({ type }) => type === "inline");
	const links = inline
		.flatMap((token) => linksIn(token, firstLine))
		.flatMap(({ href, line }) => {
			const target = resolve(href, uri);
			return target ? [quad(document, LINK, namedNode(target), only(line))] : [];
		});
	const inText = inline.flatMap((token) => tagsInText(token, firstLine));
	const tags = [...frontMatter.values.flatMap(tagsOf), ...inText];
	const tagged = tags.map(({ iri, lines }) => quad(document, `${SCHEMA}about`, namedNode(iri), lines));
	return [...values, ...distinct([...links, ...tagged])];
}

/** Splits an alias at commas, as in Foam. */
function namesApart(value: FrontMatterValue): FrontMatterValue[] {
	if (value.key.toLowerCase() !== "alias") return [value];
	return value.text.split(",").flatMap((name) => (name.trim() === "" ? [] : { ...value, text: name.trim() }));
}

function tagsOf({ key, text, lines }: FrontMatterValue) {
	if (!/^tags?$/i.test(key)) return [];
	return tagsInValue(text).map(({ tag }) => ({ iri: tagIri(tag), lines }));
}

function tagsInText({ content, map }: Token, firstLine: number) {
	const first = firstLine + (map?.[0] ?? 0);
	const lineAt = (index: number) => first + content.slice(0, index).split("\n").length - 1;
	return tagsIn(content).map(({ tag, index }) => ({ iri: tagIri(tag), lines: only(lineAt(index)) }));
}

/** Treats a capitalized type as a class of schema.org; `post` is not a class. */
function classOf({ key, text }: FrontMatterValue): string | undefined {
	if (!TYPE_KEYS.includes(key)) return undefined;
	if (isIri(text)) return text;
	return /^[A-Z]\w*$/.test(text) ? `${SCHEMA}${text}` : undefined;
}

function isIri(text: string): boolean {
	return /^(?:https?:\/\/|urn:)[^\s<>"{}|\\^`]+$/.test(text) && URL.canParse(text);
}

export function propertyOf(key: string): string {
	const known = PROPERTIES.get(key.toLowerCase());
	return known ? `${SCHEMA}${known}` : `${FRONT_MATTER_KEYS}${encodeURIComponent(key)}`;
}

function linksIn({ children, map }: Token, firstLine: number): Link[] {
	let line = firstLine + (map?.[0] ?? 0);
	return (children ?? []).flatMap((token) => {
		if (token.type === "softbreak" || token.type === "hardbreak") line++;
		if (token.type === "link_open") return [{ href: String(token.attrGet("href") ?? ""), line }];
		if (token.type !== "text" || !token.content.includes("[[")) return [];
		return [...token.content.matchAll(WIKILINK)].map((match) => ({ href: hrefOf(match), line }));
	});
}

/** Address of a wiki link, as a file in the same folder. */
function hrefOf([, name = "", places = ""]: RegExpExecArray): string {
	const path = name.trim();
	const place = places.slice(places.lastIndexOf("#") + 1).trim();
	const fragment = place && `#${encodeURIComponent(place)}`;
	return path === "" ? fragment : referenceOf(/\.\w+$/.test(path) ? path : `${path}.md`) + fragment;
}

/** Resolves a link; `undefined` for links within the document and for other protocols. */
function resolve(href: string, base: string): string | undefined {
	const url = href === "" || href.startsWith("#") ? null : URL.parse(href, base);
	return url && /^(https?|file|urn|ftp):$/.test(url.protocol) ? url.href : undefined;
}
