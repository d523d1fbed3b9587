import expansion from "jsonld/lib/expand.js";
import jsonld from "jsonld/lib/jsonld.js";

/** Under this symbol, an expanded object carries what it was made of. */
export const ORIGIN: unique symbol = Symbol("origin");

export interface Origin {
	/** The object or the value in the document. */
	readonly element: unknown;
	/** The key that it stands under, in the object around it. */
	readonly key: string | undefined;
}

export interface ExpandOptions {
	readonly base: string;
	/** Returns the whole document at an address. */
	readonly loadContext: (url: string) => unknown;
	/** Options of the library. */
	readonly processor?: ProcessorOptions;
}

/** What may differ from document to document by the JSON-LD API, and does so in its tests alone. */
export interface ProcessorOptions {
	readonly processingMode?: string;
	readonly expandContext?: unknown;
}

/** Any address: the library takes documents that it loads itself as they are, and others as copies without places. */
const DOCUMENT = "document:";

/**
 * Returns what expands JSON-LD documents: the objects of the result carry their origin. Rejects for what is wrong in
 * the document.
 */
export function createTracedExpand() {
	traceSteps();
	return (document: object, { base, loadContext, processor }: ExpandOptions): Promise<readonly unknown[]> =>
		jsonld.expand(DOCUMENT, {
			...processor,
			base,
			documentLoader: async (url) => ({
				documentUrl: url,
				document: url === DOCUMENT ? document : loadContext(url),
			}),
		});
}

/** The library forgets where its results come from; its recursion passes one place where that can be noted. */
function traceSteps(): void {
	const { expand } = expansion;
	expansion.expand = async (step) => {
		const result = await expand(step);
		if (typeof result === "object" && result !== null && !Array.isArray(result) && !(ORIGIN in result)) {
			const origin: Origin = { element: step.element, key: step.activeProperty ?? undefined };
			Object.assign(result, { [ORIGIN]: origin });
		}
		return result;
	};
}
