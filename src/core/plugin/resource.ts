/** What commands of a plugin work with, and open through us alone. */
export type PluginResource =
	| Named<HttpClient>
	| Named<SparqlEndpoint>
	| Named<Files>
	| Named<KnowledgeIndex>
	| McpServer
	| Named<LanguageModel>;

export const RESOURCE_TYPES = ["http", "sparql", "files", "index", "mcp", "model"] as const;

type Named<Kind> = Kind & {
	/** `default` if the file gives no name. */
	readonly id: string;
	readonly name: string;
};

interface Address {
	/** Without a slash at its end. */
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

interface HttpClient extends Address {
	readonly type: "http";
	/** Below the address: asked before the first use. */
	readonly health?: string;
}

interface SparqlEndpoint extends Address {
	readonly type: "sparql";
}

interface Files {
	readonly type: "files";
	/** Relative to the plugin's working folder, with forward slashes. */
	readonly folder: string;
}

interface KnowledgeIndex {
	readonly type: "index";
	readonly sources?: readonly string[];
	readonly types?: readonly string[];
}

/** MCP server over HTTP; servers that are programs belong to the editor. */
export type McpServer = Named<Address & { readonly type: "mcp" }>;

interface LanguageModel {
	readonly type: "model";
	readonly model: string;
}

export type ResourceState =
	| { readonly kind: "unused" | "starting" | "ready" }
	| { readonly kind: "failed"; readonly why: string };

/** The one that a word means: by its id, then by its name, then the first of that type. */
export function resourceNamed(
	resources: readonly PluginResource[],
	word: string,
): PluginResource | undefined {
	return (
		resources.find(({ id }) => id !== DEFAULT_ID && id === word) ??
		resources.find(({ name }) => name === word) ??
		resources.find(({ type }) => type === word)
	);
}

export const DEFAULT_ID = "default";
