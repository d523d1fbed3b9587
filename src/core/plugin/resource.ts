interface Named {
	/** `default` if the file names no id. */
	readonly id: string;
	readonly name: string;
}

interface Address extends Named {
	/** Without a trailing slash. */
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** An MCP server over HTTP. MCP servers that run as programs are configured in the editor. */
export type McpServer = Address & { readonly type: "mcp" };

/** A resource that a plugin's commands use. Only our code opens the resource. */
export type PluginResource =
	/** `health` is a path below the URL, requested before the first use. */
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

/** Finds a resource by its id, otherwise by its name, otherwise the first resource of this type. */
export function resourceNamed(resources: readonly PluginResource[], word: string) {
	return (
		resources.find(({ id }) => id !== DEFAULT_ID && id === word) ??
		resources.find(({ name }) => name === word) ??
		resources.find(({ type }) => type === word)
	);
}

export const DEFAULT_ID = "default";
