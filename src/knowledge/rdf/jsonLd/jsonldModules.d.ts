/** The published types do not allow loading a document by its address. */
declare module "jsonld/lib/jsonld.js" {
	const jsonld: {
		expand(
			url: string,
			options: {
				readonly base: string;
				readonly processingMode?: string;
				readonly expandContext?: unknown;
				readonly documentLoader: (url: string) => Promise<{ documentUrl: string; document: unknown }>;
			},
		): Promise<unknown[]>;
	};
	export = jsonld;
}

/** Expansion calls itself through this export. */
declare module "jsonld/lib/expand.js" {
	const expansion: {
		expand(step: { readonly activeProperty?: string | null; readonly element?: unknown }): Promise<unknown>;
	};
	export = expansion;
}
