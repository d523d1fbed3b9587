import expansion from "jsonld/lib/expand.js";
import jsonld from "jsonld/lib/jsonld.js";

export const ORIGIN: unique symbol = Symbol("origin");

export interface Origin {
	readonly element: unknown;
	readonly key: string | undefined;
}

export interface JsonLdOptions {
	readonly base: string;
	/** Context documents by address. These take precedence over bundled contexts. */
	readonly contexts?: ReadonlyMap<string, unknown>;
	/** Options of the JSON-LD API that only tests change. */
	readonly processor?: { readonly processingMode?: string; readonly expandContext?: unknown };
}

type LoadContext = (url: string) => unknown;

/** An arbitrary address. The library must load the document itself, because it copies a passed one without places. */
const DOCUMENT = "document:";

/** Expands a document; each result has an origin. Rejects if the document is invalid. */
export async function expandTraced(document: object, loadContext: LoadContext, options: JsonLdOptions) {
	const { base, processor } = options;
	const documentLoader = async (url: string) => {
		return { documentUrl: url, document: url === DOCUMENT ? document : loadContext(url) };
	};
	return jsonld.expand(DOCUMENT, { ...processor, base, documentLoader });
}

// Records the origin, which the library drops. The library's recursion uses this export.
const { expand } = expansion;
expansion.expand = async (step) => {
	const result = await expand(step);
	if (typeof result === "object" && result !== null && !Array.isArray(result) && !(ORIGIN in result)) {
		const origin: Origin = { element: step.element, key: step.activeProperty ?? undefined };
		Object.assign(result, { [ORIGIN]: origin });
	}
	return result;
};
