import { SCHEMA } from "../../base/rdf/vocabulary.ts";
import type { Quad } from "../../core/knowledge/rdf.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { squeeze } from "../passages/words.ts";
import { literal, namedNode, quad } from "../resources/terms.ts";
import { type Element, linesOf, type Tag } from "./walkHtml.ts";

/** What a page's head says about the page. */
export interface PageFacts {
	open(tag: Tag): void;
	text(text: string): void;
	close(tag: Tag): void;
	title(): string;
	/** The facts as statements about the page's IRI. */
	quads(page: string): Quad[];
}

/** `<meta name>` in lower case, as properties. */
const PROPERTIES: Readonly<Record<string, string>> = {
	description: `${SCHEMA}description`,
	author: `${SCHEMA}author`,
	keywords: `${SCHEMA}keywords`,
	date: `${SCHEMA}datePublished`,
	"last-modified": `${SCHEMA}dateModified`,
	language: `${SCHEMA}inLanguage`,
};

/** Prefixes of `<meta name>` that stand for vocabularies. */
const PREFIXES: readonly (readonly [RegExp, string])[] = [
	[/^og:/, "http://ogp.me/ns#"],
	[/^article:/, "http://ogp.me/ns/article#"],
	[/^(dc|dcterms)[.:]/, "http://purl.org/dc/terms/"],
];

export function createPageFacts(): PageFacts {
	const facts: { readonly property: string; readonly value: string; readonly element: Element }[] = [];
	let title: string | undefined;
	let isInTitle = false;
	return {
		open(tag) {
			if (tag.name === "title" && title === undefined) {
				title = "";
				isInTitle = true;
			}
			const property = tag.name === "meta" ? propertyOf(tag) : undefined;
			const { content = "" } = tag.attributes;
			const value = squeeze(content);
			if (property && value) facts.push({ property, value, element: tag.element });
		},
		text(text) {
			if (isInTitle) title += text;
		},
		close({ name, element }) {
			if (name !== "title" || !isInTitle) return;
			isInTitle = false;
			const value = squeeze(title ?? "");
			if (value) facts.unshift({ property: `${SCHEMA}name`, value, element });
		},
		title: () => squeeze(title ?? ""),
		quads: (page) =>
			facts.flatMap(({ property, value, element }) =>
				toQuads({ page, property, value, lines: linesOf(element) }),
			),
	};
}

function propertyOf({ attributes }: Tag): string | undefined {
	const { property = "", name: given = property } = attributes;
	const name = given.trim().toLowerCase();
	if (Object.hasOwn(PROPERTIES, name)) return PROPERTIES[name];
	const [prefix, namespace = ""] = PREFIXES.find(([pattern]) => pattern.test(name)) ?? [];
	return prefix && /^[\w:.-]+$/.test(name) ? namespace + name.replace(prefix, "") : undefined;
}

interface Fact {
	readonly page: string;
	readonly property: string;
	readonly value: string;
	readonly lines: LineRange;
}

/** Keywords come as one list with commas. */
function toQuads({ page, property, value, lines }: Fact): Quad[] {
	const isList = property === `${SCHEMA}keywords`;
	const values = isList ? value.split(",").map(squeeze).filter(Boolean) : [value];
	return values.map((each) => quad(namedNode(page), property, literal(each), lines));
}
