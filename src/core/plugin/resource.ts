interface Named {
	/** `default` if the file gives no name. */
	readonly id: string;
	readonly name: string;
}

interface Address extends Named {
	/** Without a slash at its end. */
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** MCP server over HTTP; servers that are programs belong to the editor. */
export type McpServer = Address & { readonly type: "mcp" };

/** What commands of a plugin work with, and open through us alone. */
export type PluginResource =
	/** `health`, below the address, is asked before the first use. */
	| (Address & { readonly type: "http"; readonly health?: string })
	| (Address & { readonly type: "sparql" })
	/** `folder` is relative to the plugin's working folder, with forward slashes. */
	| (Named & { readonly type: "files"; readonly folder: string })
	| (Named & {
			readonly type: "index";
			readonly sources?: readonly string[];
			readonly types?: readonly string[];
	  })
	| McpServer
	| (Named & { readonly type: "model"; readonly model: string });

export const RESOURCE_TYPES = ["http", "sparql", "files", "index", "mcp", "model"] as const;

export type ResourceState =
	| { readonly kind: "unused" | "starting" | "ready" }
	| { readonly kind: "failed"; readonly why: string };

/** The one that a word means: by its id, then by its name, then the first of that type. */
export function resourceNamed(resources: readonly PluginResource[], word: string) {
	return (
		resources.find(({ id }) => id !== DEFAULT_ID && id === word) ??
		resources.find(({ name }) => name === word) ??
		resources.find(({ type }) => type === word)
	);
}

export const DEFAULT_ID = "default";
