import type { Problem } from "../../core/knowledge/document.ts";
import type { Quad } from "../../core/knowledge/rdf.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import type { Source } from "../passages/format.ts";
import { type Line, only } from "../passages/lines.ts";
import type { Section } from "../passages/sections.ts";
import { isJsonLd, readJsonLdScripts } from "./jsonLdScripts.ts";
import { createLinkTexts, type LinkTexts } from "./linkTexts.ts";
import type { MarkupReader } from "./markupReader.ts";
import { createMarkupReaders } from "./markupReaders.ts";
import { createPageFacts, type PageFacts } from "./pageFacts.ts";
import { createReadableText, type ReadableText } from "./readableText.ts";
import { createStatements, limitsFor } from "./statements.ts";
import { type Tag, walkHtml } from "./walkHtml.ts";

/** All that a page says. */
export interface HtmlContent {
	/** Microdata, RDFa and JSON-LD, as their specifications say; blank nodes are labelled in the order of the page. */
	readonly quads: readonly Quad[];
	/** The elements of resources, by the resources' ids. */
	readonly ranges: ReadonlyMap<string, LineRange>;
	/** What `<title>` and `<meta>` say about the page. */
	readonly pageFacts: readonly Quad[];
	/** What the page calls the things that it links to, by their IRIs. */
	readonly names: ReadonlyMap<string, string>;
	readonly title: string;
	readonly sections: readonly Section[];
	readonly problems: readonly Problem[];
}

/** Reads a page in one pass. `source.uri` is the base of its relative IRIs unless it names another. */
export async function readHtml({ uri, text }: Source): Promise<HtmlContent> {
	const statements = createStatements(limitsFor(text));
	const pageFacts = createPageFacts();
	const readable = createReadableText();
	const readers = createMarkupReaders({ uri, text }, statements);
	const linkTexts = createLinkTexts();
	const { base, scripts } = readPage({ uri, text }, { readers, pageFacts, readable, linkTexts });
	const jsonLd = await readJsonLdScripts(scripts, base);
	return {
		quads: [...statements.quads(), ...jsonLd.quads],
		ranges: statements.ranges(),
		pageFacts: pageFacts.quads(uri),
		names: linkTexts.names(),
		title: pageFacts.title(),
		sections: readable.end(),
		problems: [...statements.problems(), ...jsonLd.problems],
	};
}

interface Listeners {
	readonly readers: MarkupReader;
	readonly pageFacts: PageFacts;
	readonly readable: ReadableText;
	readonly linkTexts: LinkTexts;
}

/** Tells every listener about the page; gives the scripts and the IRI that they are relative to. */
function readPage({ uri, text }: Source, { readers, pageFacts, readable, linkTexts }: Listeners) {
	const scripts: Line[] = [];
	let base: string | undefined;
	walkHtml(text, {
		open(tag) {
			if (base === undefined) {
				base = baseOf(tag, uri);
				if (base !== undefined) readers.setBase(base);
			}
			readable.open(tag, readers.open(tag));
			linkTexts.open(tag, base ?? uri);
			pageFacts.open(tag);
		},
		text(data, line) {
			readers.text(data);
			readable.text(data, line);
			linkTexts.text(data);
			pageFacts.text(data);
		},
		close(tag, contentEnd) {
			if (isJsonLd(tag)) {
				scripts.push({ text: text.slice(tag.contentStart, contentEnd), lines: only(tag.contentLine) });
			}
			readers.close();
			readable.close(tag);
			linkTexts.close(tag);
			pageFacts.close(tag);
		},
	});
	readers.end();
	return { scripts, base: base ?? uri };
}

/** The first `<base>` counts, if it is an address of pages. */
function baseOf({ name, attributes }: Tag, uri: string): string | undefined {
	const { href } = attributes;
	if (name !== "base" || href === undefined || !URL.canParse(href, uri)) return undefined;
	const base = new URL(href, uri);
	return /^(https?|file):$/.test(base.protocol) ? base.href : undefined;
}
