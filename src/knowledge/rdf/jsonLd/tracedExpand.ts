import expansion from "jsonld/lib/expand.js";
import jsonld from "jsonld/lib/jsonld.js";

/** Key under which an expanded object stores its origin. */
export const ORIGIN: unique symbol = Symbol("origin");

export interface Origin {
	/** Object or value in the document. */
	readonly element: unknown;
	/** Key in the enclosing object. */
	readonly key: string | undefined;
}

export interface JsonLdOptions {
	/** Absolute IRI. */
	readonly base: string;
	/** Context documents by address; they take precedence over the bundled ones. */
	readonly contexts?: ReadonlyMap<string, unknown>;
	/** Options of the JSON-LD API that only tests change. */
	readonly processor?: { readonly processingMode?: string; readonly expandContext?: unknown };
}

type LoadContext = (url: string) => unknown;

/** An arbitrary address. The library must load the document itself, or it would copy it without places. */
const DOCUMENT = "document:";

/** Expands a document; each result has its origin. Rejects invalid documents. */
export async function expandTraced(document: object, loadContext: LoadContext, options: JsonLdOptions) {
	const { base, processor } = options;
	const documentLoader = async (url: string) => {
		return { documentUrl: url, document: url === DOCUMENT ? document : loadContext(url) };
	};
	return jsonld.expand(DOCUMENT, { ...processor, base, documentLoader });
}

// Records origins, which the library drops. Its recursion goes through this export.
const { expand } = expansion;
expansion.expand = async (step) => {
	const result = await expand(step);
	if (typeof result === "object" && result !== null && !Array.isArray(result) && !(ORIGIN in result)) {
		const origin: Origin = { element: step.element, key: step.activeProperty ?? undefined };
		Object.assign(result, { [ORIGIN]: origin });
	}
	return result;
};
