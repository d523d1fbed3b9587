import { squeeze } from "../passages/lines.ts";
import type { Tag } from "./walkHtml.ts";

export type LinkTexts = ReturnType<typeof createLinkTexts>;

/** Characters; longer texts are not names. */
const MAX_NAME = 120;

/** Properties whose links say "more" or "our site", not a name. */
const ADDRESS = /(url|sameas|page|image|logo)$/i;

/** Names of the resources that a page's statements link to: `<a itemprop="author" href="…">Ada</a>`. */
export function createLinkTexts() {
	const names = new Map<string, string>();
	let link: { readonly tag: Tag; readonly iri: string; text: string } | undefined;
	return {
		open(tag: Tag, base: string): void {
			const iri = targetOf(tag, base);
			if (iri) link = { tag, iri, text: "" };
		},
		text(text: string): void {
			if (link && link.text.length <= MAX_NAME) link.text += text;
		},
		close(tag: Tag): void {
			if (link?.tag !== tag) return;
			const name = squeeze(link.text);
			if (name !== "" && name.length <= MAX_NAME && !names.has(link.iri)) names.set(link.iri, name);
			link = undefined;
		},
		names: (): ReadonlyMap<string, string> => names,
	};
}

function targetOf({ name, attributes }: Tag, base: string): string | undefined {
	const { href, property = "", itemprop = property } = attributes;
	if (name !== "a" || href === undefined || itemprop === "" || ADDRESS.test(itemprop)) return undefined;
	if (/^[a-z][\w+.-]*:/i.test(href)) return href;
	return URL.canParse(href, base) ? new URL(href, base).href : undefined;
}
