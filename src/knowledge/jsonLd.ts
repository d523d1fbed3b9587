import type { Problem } from "../core/document.ts";
import { messageOf } from "../core/failure.ts";
import type { Quad } from "../core/rdf.ts";
import type { LineRange } from "../core/source.ts";
import type { Format } from "./format.ts";
import { bundledContext } from "./rdf/bundledContexts.ts";
import { toQuads } from "./rdf/expandedToQuads.ts";
import { type Place, placeOf, readLocatedJson } from "./rdf/locatedJson.ts";
import { toRdfDocument } from "./rdf/rdfDocument.ts";
import { createTracedExpand, type ProcessorOptions } from "./rdf/tracedExpand.ts";

export const jsonLd: Format = {
	id: "jsonld",
	extensions: ["jsonld"],
	parse: async ({ uri, text }) => toRdfDocument(uri, await readJsonLd(text, { base: uri })),
};

/** Whether JSON says that it is linked data. */
export function looksLikeJsonLd(text: string): boolean {
	return text.includes('"@context"') && /^\s*[{[]/.test(text);
}

export interface JsonLdOptions {
	/** Absolute IRI that relative ones are resolved against. */
	readonly base: string;
	/** Documents that hold contexts, by their addresses; asked before the bundled ones. */
	readonly contexts?: ReadonlyMap<string, unknown>;
	/** Whether the text is one of several that make one document, as scripts of a page do: items of an array then. */
	readonly isItem?: boolean;
	readonly processor?: ProcessorOptions;
}

const expand = createTracedExpand();

/**
 * Reads the quads of a JSON-LD text; lines count from its start. Never rejects, and never asks the network.
 * Blank nodes have labels of this text alone: a caller that puts several together keeps them apart.
 */
export async function readJsonLd(
	text: string,
	options: JsonLdOptions,
): Promise<{ quads: Quad[]; problems: Problem[] }> {
	const { value, lines, problems } = readLocatedJson(text);
	if (value === undefined) return { quads: [], problems: [...problems] };
	const whole: Place = { lines, members: new Map() };
	if (typeof value !== "object" || value === null) {
		const message = "JSON-LD is an object or an array of objects.";
		return { quads: [], problems: [...problems, { severity: "error", message, lines }] };
	}
	const read = await expandToQuads(value, whole, options);
	return { quads: read.quads, problems: [...problems, ...read.problems] };
}

async function expandToQuads(document: object, whole: Place, { base, contexts, processor }: JsonLdOptions) {
	const unknown = new Map<string, Problem>();
	const loadContext = (url: string): unknown => {
		const known = contexts?.get(url) ?? bundledContext(url);
		if (!known) unknown.set(url, unknownContext(url, document, whole.lines));
		return known ?? { "@context": {} };
	};
	try {
		const expanded = await expand(document, { base, loadContext, processor });
		const { quads, problems } = toQuads(expanded, placeOf(document) ?? whole);
		return { quads, problems: [...unknown.values(), ...problems] };
	} catch (thrown) {
		// The library rejects for what the document does wrong; the rest of what it says is not known then.
		const problem: Problem = {
			severity: "error",
			message: messageOf(thrown),
			lines: linesOf(thrown) ?? whole.lines,
		};
		return { quads: [], problems: [...unknown.values(), problem] };
	}
}

function unknownContext(url: string, document: object, whole: LineRange): Problem {
	return {
		severity: "warning",
		message: `The context ${url} is not known here and is never fetched: what its terms say is left out. Write the terms into the document to have it read.`,
		lines: contextLines(document, url) ?? whole,
	};
}

/** The lines of the first `@context` that names an address, in full or by its end. */
function contextLines(value: unknown, url: string): LineRange | undefined {
	if (typeof value !== "object" || value === null) return undefined;
	if ("@context" in value && namesOf(value["@context"]).some((name) => url.endsWith(name))) {
		return placeOf(value)?.members.get("@context");
	}
	for (const part of Object.values(value)) {
		const lines = contextLines(part, url);
		if (lines) return lines;
	}
	return undefined;
}

function namesOf(context: unknown): string[] {
	const items: unknown[] = Array.isArray(context) ? context : [context];
	return items.filter((item) => typeof item === "string").map((name) => name.replace(/^[./]+/, ""));
}

/** The library's errors hold the part of the document that is wrong, in most cases. */
function linesOf(thrown: unknown): LineRange | undefined {
	if (!(thrown instanceof Error) || !("details" in thrown)) return undefined;
	const details = Object.values(thrown.details ?? {});
	return details.map(placeOf).find((place) => place !== undefined)?.lines;
}
