export type HtmlPiece =
	| { readonly kind: "open"; readonly name: string; readonly attributes: readonly HtmlAttribute[] }
	| { readonly kind: "close"; readonly name: string }
	| { readonly kind: "jsonLd"; readonly text: string; readonly start: number };

export interface HtmlAttribute {
	/** In lower case. */
	readonly name: string;
	/** As written. */
	readonly value: string;
	readonly start: number;
	readonly end: number;
}

/** An unclosed tag extends to the end, as in browsers. */
const TAG = /<!--[\s\S]*?(?:-->|$)|<(\/)?([a-z][^\s/>]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*)(?:>|$)/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Elements whose content is not markup. */
const RAW = new Set(["script", "style", "textarea", "title"]);

export function* htmlPieces(text: string): Generator<HtmlPiece> {
	const tags = new RegExp(TAG);
	for (let match = tags.exec(text); match; match = tags.exec(text)) {
		const { 1: slash, 2: tag = "", 3: rest = "", index } = match;
		const name = tag.toLowerCase();
		if (slash) yield { kind: "close", name };
		if (slash || name === "") continue;
		const attributes = readAttributes(rest, index + 1 + tag.length);
		yield { kind: "open", name, attributes };
		if (!RAW.has(name)) continue;
		const start = tags.lastIndex;
		tags.lastIndex = endOfRaw(text, name, start);
		if (holdsJsonLd(name, attributes))
			yield { kind: "jsonLd", text: text.slice(start, tags.lastIndex), start };
	}
}

function holdsJsonLd(name: string, attributes: readonly HtmlAttribute[]): boolean {
	const type = attributes.find((attribute) => attribute.name === "type")?.value ?? "";
	return name === "script" && /^\s*application\/ld\+json\s*(;|$)/i.test(type);
}

function endOfRaw(text: string, name: string, start: number): number {
	const closing = new RegExp(`</${name}\\b`, "gi");
	closing.lastIndex = start;
	return closing.exec(text)?.index ?? text.length;
}

function readAttributes(text: string, offset: number): HtmlAttribute[] {
	return [...text.matchAll(ATTRIBUTE)].map(
		({ 0: whole, 1: name = "", 2: double, 3: single, 4: bare, index }) => {
			const value = double ?? single ?? bare ?? "";
			const quote = bare === undefined && whole.includes("=") ? 1 : 0;
			const end = offset + index + whole.length - quote;
			return { name: name.toLowerCase(), value, start: end - value.length, end };
		},
	);
}
