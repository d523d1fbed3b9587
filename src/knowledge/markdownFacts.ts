import type { Token } from "markdown-it";
import type { Quad, Term } from "../core/rdf.ts";
import type { FrontMatter, FrontMatterValue } from "./frontMatter.ts";
import { only } from "./lines.ts";
import { literal, namedNode, quad, SCHEMA } from "./terms.ts";

export interface MarkdownContent {
	readonly uri: string;
	readonly frontMatter: FrontMatter;
	readonly tokens: readonly Token[];
	/** The line on which the tokens' text begins. */
	readonly firstLine: number;
}

/** Well-known front matter keys, lower-case, as properties of schema.org. */
const PROPERTIES: Readonly<Record<string, string>> = {
	title: "name",
	name: "name",
	description: "description",
	summary: "description",
	abstract: "abstract",
	author: "author",
	authors: "author",
	date: "datePublished",
	published: "datePublished",
	datepublished: "datePublished",
	updated: "dateModified",
	modified: "dateModified",
	lastmod: "dateModified",
	tags: "keywords",
	tag: "keywords",
	keywords: "keywords",
	categories: "articleSection",
	category: "articleSection",
	aliases: "alternateName",
	lang: "inLanguage",
	language: "inLanguage",
	license: "license",
	version: "version",
};

/** Where keys go that no vocabulary knows. */
const OTHER_KEYS = "urn:copilot-ld:frontmatter:";

/** What a document points to, whether another page or another note. */
const LINK = `${SCHEMA}citation`;

const XSD = "http://www.w3.org/2001/XMLSchema#";

/** `[[Note]]`, `[[Note#Heading]]`, `[[Note|words]]`. */
const WIKILINK = /\[\[([^[\]|#\n]{0,300})(#[^[\]|\n]{0,300})?(?:\|[^[\]\n]{0,300})?\]\]/g;

/** The front matter and the links of a document, as statements about its URI. */
export function markdownFacts({ uri, frontMatter, tokens, firstLine }: MarkdownContent): Quad[] {
	const document = namedNode(uri);
	const values = frontMatter.values.map((value) =>
		quad(document, propertyOf(value.key), literalOf(value), value.lines),
	);
	const links = new Map<string, Quad>();
	for (const { href, line } of linksOf(tokens, firstLine)) {
		const target = resolve(href, uri);
		if (target && !links.has(target)) links.set(target, quad(document, LINK, namedNode(target), only(line)));
	}
	return [...values, ...links.values()];
}

function propertyOf(key: string): string {
	const known = Object.hasOwn(PROPERTIES, key.toLowerCase()) ? PROPERTIES[key.toLowerCase()] : undefined;
	return known ? `${SCHEMA}${known}` : `${OTHER_KEYS}${encodeURIComponent(key)}`;
}

function literalOf({ value }: FrontMatterValue): Term {
	if (typeof value === "boolean") return literal(String(value), `${XSD}boolean`);
	if (typeof value === "number") {
		return literal(String(value), `${XSD}${Number.isSafeInteger(value) ? "integer" : "double"}`);
	}
	return /^\d{4}-\d\d-\d\d$/.test(value) ? literal(value, `${XSD}date`) : literal(value);
}

interface Link {
	readonly href: string;
	readonly line: number;
}

function linksOf(tokens: readonly Token[], firstLine: number): Link[] {
	return tokens.flatMap((token) => {
		if (token.type !== "inline") return [];
		return inlineLinks(token.children ?? [], firstLine + (token.map?.[0] ?? 0));
	});
}

/** The line of a link is that of its block and the breaks before it. */
function inlineLinks(tokens: readonly Token[], firstLine: number): Link[] {
	let line = firstLine;
	return tokens.flatMap((token) => {
		if (token.type === "softbreak" || token.type === "hardbreak") line++;
		if (token.type === "link_open") return [{ href: String(token.attrGet("href") ?? ""), line }];
		if (token.type !== "text") return [];
		return [...token.content.matchAll(WIKILINK)].map((match) => ({ href: hrefOf(match), line }));
	});
}

/** A note is a file beside the one that names it. */
function hrefOf([, name = "", heading = ""]: RegExpExecArray): string {
	const path = name.trim().split("/").map(encodeURIComponent).join("/");
	const fragment = heading && `#${encodeURIComponent(heading.slice(1).trim())}`;
	return path === "" ? fragment : `./${/\.\w+$/.test(name) ? path : `${path}.md`}${fragment}`;
}

/** The target of a link; nothing for places in the document itself and for what is no document. */
function resolve(href: string, base: string): string | undefined {
	if (href === "" || href.startsWith("#") || !URL.canParse(href, base)) return undefined;
	const { href: target, protocol } = new URL(href, base);
	return /^(https?|file|urn|ftp):$/.test(protocol) ? target : undefined;
}
