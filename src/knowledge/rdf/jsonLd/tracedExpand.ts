import expansion from "jsonld/lib/expand.js";
import jsonld from "jsonld/lib/jsonld.js";

/** Key of an expanded object's origin. */
export const ORIGIN: unique symbol = Symbol("origin");

export interface Origin {
	/** Object or value in the document. */
	readonly element: unknown;
	/** Its key in the enclosing object. */
	readonly key: string | undefined;
}

export interface JsonLdOptions {
	/** Absolute IRI. */
	readonly base: string;
	/** Context documents by address; they precede the bundled ones. */
	readonly contexts?: ReadonlyMap<string, unknown>;
	/** JSON-LD API options that only tests vary. */
	readonly processor?: { readonly processingMode?: string; readonly expandContext?: unknown };
}

type LoadContext = (url: string) => unknown;

/** Any address: the library copies documents unless it loads them itself, and copies lose places. */
const DOCUMENT = "document:";

/** Expanded objects carry their origin. Rejects invalid documents. */
export async function expandTraced(document: object, loadContext: LoadContext, options: JsonLdOptions) {
	const { base, processor } = options;
	const documentLoader = async (url: string) => {
		return { documentUrl: url, document: url === DOCUMENT ? document : loadContext(url) };
	};
	return jsonld.expand(DOCUMENT, { ...processor, base, documentLoader });
}

// The library forgets origins; its recursion goes through this export, so they can be recorded here.
const { expand } = expansion;
expansion.expand = async (step) => {
	const result = await expand(step);
	if (typeof result === "object" && result !== null && !Array.isArray(result) && !(ORIGIN in result)) {
		const origin: Origin = { element: step.element, key: step.activeProperty ?? undefined };
		Object.assign(result, { [ORIGIN]: origin });
	}
	return result;
};
