import type { Format } from "./passages/format.ts";
import { jsonLd, looksLikeJsonLd } from "./rdf/jsonLd/jsonLd.ts";
import { text } from "./text.ts";

/** Files named JSON are linked data where they say so, else text. */
export const json: Format = {
	id: "json",
	extensions: ["json"],
	parse: (source) => (looksLikeJsonLd(source.text) ? jsonLd.parse(source) : text.parse(source)),
};
