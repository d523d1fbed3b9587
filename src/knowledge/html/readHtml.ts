import { messageOf } from "../../base/failure.ts";
import { SCHEMA } from "../../base/rdf/vocabulary.ts";
import { wordMap } from "../../base/words/wordList.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { type ParsedDocument, type Problem, problemAt } from "../../core/knowledge/document.ts";
import { idOf, literal, namedNode, type Quad, quad, type Term, withTerms } from "../../core/knowledge/rdf.ts";
import { readFrontMatter } from "../markdown/frontMatter.ts";
import { tellingQuads, titleOf } from "../markdown/markdown.ts";
import { markdownFacts } from "../markdown/markdownFacts.ts";
import { createSections, cutSections, MAX_TITLE } from "../passages/sections.ts";
import { fileName, type Line, only, type Source, shift, shorten, squeeze } from "../passages/source.ts";
import { readJsonLd } from "../rdf/jsonLd/jsonLd.ts";
import { canonicalize, type RdfContent } from "../rdf/rdfDocument.ts";
import { createReadableText, type Stated } from "../readable/readableText.ts";
import { type Element, type MarkupReader, type Tag, walkHtml } from "../readable/walkHtml.ts";
import { withTextRecords } from "../records/textRecords.ts";
import { resourcesOf } from "../resources/resources.ts";
import { verbalize } from "../resources/verbalize.ts";
import { MicrodataReader } from "./microdata.ts";
import { RDFA, RdfaReader } from "./rdfa.ts";
import { createStatements, type Statements } from "./statements.ts";

/** Properties of markup, such as roles and prefixes, which say nothing about the topic of the page. */
const ABOUT_MARKUP = new Set([
	"http://www.w3.org/1999/xhtml/vocab#role",
	"http://www.w3.org/ns/rdfa#usesVocabulary",
]);

/** Parses a page, which may begin with front matter as in Jekyll. */
export async function parseHtml({ uri, text }: Source): Promise<ParsedDocument> {
	const frontMatter = readFrontMatter(text);
	const content = await readHtml({ uri, text: withoutLines(text, frontMatter.lineCount) });
	const facts = markdownFacts({ uri, frontMatter, tokens: [] });
	const stated = content.quads
		.filter(({ predicate }) => !ABOUT_MARKUP.has(predicate.value))
		.map(withoutNamelessGraph);
	// Linked data takes precedence over `<title>` and `<meta>`.
	const labelled = [...facts, ...(stated.length > 0 ? stated : content.pageFacts)];
	const quads = canonicalize(labelled);
	const resources = resourcesOf(quads, renameRanges(content.ranges, labelled, quads));
	const [heading = fileName(uri)] = content.sections.flatMap(({ path }) => path);
	const title = shorten(content.title, MAX_TITLE) || titleOf(frontMatter) || heading;
	const { names, sections } = content;
	const telling = quads.length === facts.length ? tellingQuads(quads, sections.length > 0) : quads;
	const told = verbalize(resources, telling, { names, source: text });
	const document = {
		title,
		resources,
		quads,
		passages: [...told, ...cutSections(title, sections)],
		problems: [...frontMatter.problems, ...content.problems],
	};
	return withTextRecords(document, { uri, sections });
}

/** Replaces the first lines by empty ones. */
function withoutLines(text: string, lineCount: number): string {
	const lines = lineCount === 0 ? [text] : text.split(/\r\n|\r|\n/).fill("", 0, lineCount);
	return lines.join("\n");
}

/** Moves statements out of nameless graphs, because nothing can refer to such a graph. */
function withoutNamelessGraph({ graph, ...quad }: Quad): Quad {
	return graph?.termType === "NamedNode" ? { ...quad, graph } : quad;
}

type Ranges = ReadonlyMap<string, LineRange>;

/** Maps ranges to canonical labels by position: canonicalization keeps the order of the quads. */
function renameRanges(ranges: Ranges, before: readonly Quad[], after: readonly Quad[]): Ranges {
	const renamed = before.flatMap(({ subject }, index) => {
		const [range, now] = [ranges.get(idOf(subject)), after[index]];
		return range && now ? [[idOf(now.subject), range] as const] : [];
	});
	return new Map(renamed);
}

/** Properties of schema.org by the lower-case name of a `<meta>` element. */
const PROPERTIES = wordMap(`
	description=description author=author keywords=keywords date=datePublished last-modified=dateModified
	language=inLanguage
`);

const PREFIXES: readonly (readonly [RegExp, string])[] = [
	[/^og:/, "http://ogp.me/ns#"],
	[/^article:/, "http://ogp.me/ns/article#"],
	[/^(dc|dcterms)[.:]/, "http://purl.org/dc/terms/"],
];

/** Reads a page in one pass. `uri` is the base of relative IRIs unless the page has a `<base>`. */
export async function readHtml({ uri, text }: Source) {
	const statements = createStatements(text);
	const sections = createSections();
	const readable = createReadableText(sections);
	const [linkTexts, pageFacts] = [createLinkTexts(), createPageFacts()];
	const { base, scripts } = readPage({ uri, text }, statements, [readable, linkTexts, pageFacts]);
	readable.end();
	const jsonLd = await readJsonLdScripts(scripts, base);
	return {
		/** Labels of blank nodes follow the order of the page. */
		quads: [...statements.quads, ...jsonLd.quads],
		ranges: statements.ranges,
		pageFacts: pageFacts.quads(uri),
		names: linkTexts.names(base),
		title: pageFacts.title(),
		sections: sections.all,
		problems: [...statements.problems, ...jsonLd.problems],
	};
}

interface Listener {
	open(tag: Tag, stated: Stated): void;
	text(text: string, line: number): void;
	close(tag: Tag): void;
}

function readPage({ uri, text }: Source, statements: Statements, listeners: readonly Listener[]) {
	const readers = new Set<MarkupReader>();
	if (/\sitemscope/i.test(text)) readers.add(new MicrodataReader(uri, statements, referencedIds(text)));
	if (RDFA.test(text)) readers.add(new RdfaReader(uri, statements));
	const scripts: Line[] = [];
	let base: string | undefined;
	let line = 1;
	walkHtml(text, {
		open(tag) {
			line = tag.element.start;
			const found = base === undefined ? baseOf(tag, uri) : undefined;
			base ??= found;
			if (found !== undefined) each((reader) => reader.setBase?.(found));
			let isValue = false;
			each((reader) => {
				isValue = reader.openTag(tag) || isValue;
			});
			const isItem = "itemscope" in tag.attributes || "typeof" in tag.attributes;
			for (const listener of listeners) listener.open(tag, { isValue, isItem });
		},
		text(data, start) {
			each((reader) => reader.addText(data));
			for (const listener of listeners) listener.text(data, start);
		},
		close(tag, contentEnd) {
			if (isJsonLd(tag))
				scripts.push({ text: text.slice(tag.contentStart, contentEnd), lines: only(tag.contentLine) });
			each((reader) => reader.onTagClose());
			for (const listener of listeners) listener.close(tag);
		},
	});
	each((reader) => reader.onEnd());
	return { scripts, base: base ?? uri };

	/** Drops a reader that throws, but keeps the reader's statements. */
	function each(read: (reader: MarkupReader) => void) {
		for (const reader of readers) {
			try {
				read(reader);
			} catch (thrown) {
				readers.delete(reader);
				const message = `The linked data of this page is read only up to here: ${messageOf(thrown)}`;
				statements.problems.push(problemAt(line, message));
			}
		}
	}
}

function baseOf({ name, attributes }: Tag, uri: string): string | undefined {
	const { href } = attributes;
	if (name !== "base" || href === undefined || !URL.canParse(href, uri)) return undefined;
	const base = new URL(href, uri);
	return /^(https?|file):$/.test(base.protocol) ? base.href : undefined;
}

/** IDs to which `itemref` attributes refer. The simple pattern may find a few other IDs. */
function referencedIds(text: string): Set<string> {
	const values = text.matchAll(/\sitemref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi);
	return new Set([...values].flatMap(([, ...value]) => value.join("").split(/\s+/)));
}

export function isJsonLd({ name, attributes }: Tag): boolean {
	return name === "script" && /^\s*application\/ld\+json\s*(;|$)/i.test(attributes["type"] ?? "");
}

/** Reports a broken script as a problem and reads the other scripts. */
async function readJsonLdScripts(scripts: readonly Line[], base: string): Promise<RdfContent> {
	const readScript = async ({ text, lines: { start } }: Line, index: number): Promise<RdfContent> => {
		// Several scripts form one array, in which a lone `@graph` names a graph:
		// https://www.w3.org/TR/json-ld11-api/#process-html
		const { quads, problems } = await readJsonLd(scripts.length > 1 ? `[${text}]` : text, { base });
		const inPage = ({ lines }: Quad | Problem) => shift(lines, start - 1);
		// Keep the blank nodes of different scripts apart.
		const inScript = <T extends Term>(term: T): T =>
			term.termType === "BlankNode" ? { ...term, value: `script${index}-${term.value}` } : term;
		return {
			quads: quads.map((quad) => ({ ...withTerms(quad, inScript), lines: inPage(quad) })),
			problems: problems.map((problem) => ({ ...problem, lines: inPage(problem) })),
		};
	};
	const contents = await Promise.all(scripts.map(readScript));
	const problems = contents.flatMap((content) => content.problems);
	return { quads: contents.flatMap(({ quads }) => quads), problems };
}

/** Maximum length of a name. Longer link texts are ignored. */
const MAX_NAME = 120;

/** Properties whose link texts are like “more” or “our site” instead of names. */
const ADDRESS = /(url|sameas|page|image|logo)$/i;

/** Passes the text of each wanted element to `take`. */
function createTexts(isWanted: (tag: Tag) => boolean, take: (tag: Tag, text: string) => void) {
	let wanted: { readonly tag: Tag; text: string } | undefined;
	return {
		open(tag: Tag): void {
			if (isWanted(tag)) wanted = { tag, text: "" };
		},
		text(text: string): void {
			if (wanted) wanted.text += text;
		},
		close(tag: Tag): void {
			if (wanted?.tag !== tag) return;
			take(tag, squeeze(wanted.text));
			wanted = undefined;
		},
	};
}

/** Names of linked resources: `<a itemprop="author" href="…">Ada</a>`. */
function createLinkTexts() {
	const names = new Map<string, string>();
	const isNaming = ({ name, attributes: { href, property = "", itemprop = property } }: Tag) =>
		name === "a" && itemprop !== "" && !ADDRESS.test(itemprop) && href !== undefined;
	return {
		...createTexts(isNaming, ({ attributes: { href = "" } }, name) => {
			if (name !== "" && name.length <= MAX_NAME && !names.has(href)) names.set(href, name);
		}),
		/** Names by IRI. The first name of each IRI wins. */
		names: (base: string): ReadonlyMap<string, string> => {
			const absolute = (href: string) =>
				/^[a-z][\w+.-]*:/i.test(href) ? href : (URL.parse(href, base)?.href ?? href);
			return new Map([...names].toReversed().map(([href, name]) => [absolute(href), name]));
		},
	};
}

function createPageFacts() {
	const facts: { readonly property: string; readonly value: string; readonly element: Element }[] = [];
	let title: string | undefined;
	const isTitle = ({ name }: Tag) => name === "title" && title === undefined;
	const titles = createTexts(isTitle, ({ element }, value) => {
		title = value;
		if (value) facts.unshift({ property: `${SCHEMA}name`, value, element });
	});
	return {
		...titles,
		open(tag: Tag): void {
			titles.open(tag);
			const property = tag.name === "meta" ? propertyOf(tag) : undefined;
			const value = squeeze(tag.attributes["content"] ?? "");
			if (property && value) facts.push({ property, value, element: tag.element });
		},
		title: () => title ?? "",
		quads: (page: string): Quad[] =>
			facts.flatMap(({ property, value, element }) => {
				const values = property === `${SCHEMA}keywords` ? value.split(",").map(squeeze) : [value];
				const told = values.filter((each) => each !== "");
				return told.map((each) => quad(namedNode(page), property, literal(each), element));
			}),
	};
}

function propertyOf({ attributes }: Tag): string | undefined {
	const { property = "", name: given = property } = attributes;
	const name = given.trim().toLowerCase();
	const known = PROPERTIES.get(name);
	if (known) return SCHEMA + known;
	const [prefix, namespace = ""] = PREFIXES.find(([pattern]) => pattern.test(name)) ?? [];
	return prefix && /^[\w:.-]+$/.test(name) ? namespace + name.replace(prefix, "") : undefined;
}
