import { ElementRdfaParser } from "./elementRdfaParser.ts";
import type { MarkupOptions, MarkupReader } from "./markupReader.ts";
import type { Statements } from "./statements.ts";
import type { Tag } from "./walkHtml.ts";

/** Prefixes in one attribute. */
const MAX_PREFIXES = 500;

/** Attributes without which RDFa says nothing; `rel` alone only does with a prefixed or a predefined term. */
const RDFA =
	/\s(?:(?:property|typeof|about|resource|vocab|prefix|inlist|datatype|role)\s*=|re[lv]\s*=\s*["']?[^"'>]{0,200}?(?::|license|describedby))/i;

export function hasRdfa(text: string): boolean {
	return RDFA.test(text);
}

/** Reads RDFa 1.1 in HTML. */
export function createRdfaReader(options: MarkupOptions, statements: Statements): MarkupReader {
	const parser = new ElementRdfaParser(options.base, statements);
	let textLeft = options.textBudget;
	let isStarted = false;
	let hasImpliedRoot = false;
	return {
		open({ name, attributes, element }: Tag) {
			// The first element is about the page, and a fragment's is not: browsers put it into `<html>`.
			hasImpliedRoot ||= !isStarted && name !== "html";
			if (!isStarted && hasImpliedRoot) parser.openElement("html", {}, element);
			isStarted = true;
			const { prefix, ...others } = attributes;
			return parser.openElement(
				name,
				prefix === undefined ? others : { ...others, prefix: tidy(prefix) },
				element,
			);
		},
		text(text) {
			textLeft -= text.length * parser.openValues;
			if (textLeft > 0) parser.onText(text);
		},
		close: () => parser.onTagClose(),
		end() {
			if (hasImpliedRoot) parser.onTagClose();
			parser.onEnd();
		},
		setBase: () => undefined,
	};
}

/** Only `name: iri` pairs: the library's own expression takes exponential time on anything else. */
function tidy(prefix: string): string {
	const words = prefix.trim().split(/\s+/);
	const pairs: string[] = [];
	for (let at = 0; at < words.length && pairs.length < MAX_PREFIXES; at++) {
		const word = words[at] ?? "";
		const colon = word.indexOf(":");
		if (colon < 0) continue;
		const iri = word.slice(colon + 1) || words[++at];
		if (iri) pairs.push(`${word.slice(0, colon)}: ${iri}`);
	}
	return pairs.join(" ");
}
