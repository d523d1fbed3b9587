import type { Problem } from "../../../core/knowledge/document.ts";
import type { LineRange } from "../../../core/knowledge/source.ts";
import type { Format } from "../../passages/format.ts";
import { type RdfContent, toRdfDocument } from "../rdfDocument.ts";
import { excessOf } from "./jsonLdLimits.ts";
import { readLocatedJson } from "./locatedJson.ts";
import { type JsonLdOptions, readJsonLdDocument } from "./readJsonLdDocument.ts";

export const jsonLd: Format = {
	id: "jsonld",
	extensions: ["jsonld"],
	parse: async (source) => toRdfDocument(source, await readJsonLd(source.text, { base: source.uri })),
};

/** Whether JSON says that it is linked data. */
export function looksLikeJsonLd(text: string): boolean {
	return text.includes('"@context"') && /^\s*[{[]/.test(text);
}

/**
 * Reads the quads of a JSON-LD text; lines count from its start. Never rejects, and never asks the network.
 * Blank nodes have labels of this text alone: a caller that puts several together keeps them apart.
 */
export async function readJsonLd(text: string, options: JsonLdOptions): Promise<RdfContent> {
	const { value, lines, problems } = readLocatedJson(text);
	if (value === undefined) return { quads: [], problems };
	const refuse = (message: string) => ({ quads: [], problems: [...problems, toError(message, lines)] });
	if (typeof value !== "object" || value === null)
		return refuse("JSON-LD is an object or an array of objects.");
	const excess = excessOf(value);
	if (excess) return refuse(`JSON-LD with ${excess} is not read.`);
	const content = await readJsonLdDocument(value, lines, options);
	return { quads: content.quads, problems: [...problems, ...content.problems] };
}

function toError(message: string, lines: LineRange): Problem {
	return { severity: "error", message, lines };
}
