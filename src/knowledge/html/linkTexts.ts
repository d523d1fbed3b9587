import { squeeze } from "../passages/words.ts";
import type { Tag } from "./walkHtml.ts";

/** Gathers how a page calls the things that its statements link to: `<a itemprop="author" href="…">Ada</a>`. */
export interface LinkTexts {
	open(tag: Tag, base: string): void;
	text(text: string): void;
	close(tag: Tag): void;
	/** The first text for every IRI. */
	names(): ReadonlyMap<string, string>;
}

/** Characters; longer texts are no names. */
const MAX_NAME = 120;

/** Properties of an address itself: their links say "more" or "our site". */
const ADDRESS = /(url|sameas|page|image|logo)$/i;

export function createLinkTexts(): LinkTexts {
	const names = new Map<string, string>();
	let link: { readonly tag: Tag; readonly iri: string; text: string } | undefined;
	return {
		open(tag, base) {
			const iri = targetOf(tag, base);
			if (iri) link = { tag, iri, text: "" };
		},
		text(text) {
			if (link && link.text.length <= MAX_NAME) link.text += text;
		},
		close(tag) {
			if (link?.tag !== tag) return;
			const name = squeeze(link.text);
			if (name !== "" && name.length <= MAX_NAME && !names.has(link.iri)) names.set(link.iri, name);
			link = undefined;
		},
		names: () => names,
	};
}

function targetOf({ name, attributes }: Tag, base: string): string | undefined {
	const { href, property = "", itemprop = property } = attributes;
	if (name !== "a" || href === undefined || itemprop === "" || ADDRESS.test(itemprop)) return undefined;
	if (/^[a-z][\w+.-]*:/i.test(href)) return href;
	return URL.canParse(href, base) ? new URL(href, base).href : undefined;
}
