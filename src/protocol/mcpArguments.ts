/** What the MCP program is started with. */
export interface McpArguments {
	/** Absolute or relative paths of the folders whose files are the knowledge; at least one. */
	readonly workspaces: readonly string[];
	/** Path of the folder that holds the index; the program chooses one where it is left out. */
	readonly data?: string;
	/** Path of the folder that holds the rules of permission; every call is allowed where it is left out. */
	readonly permissions?: string;
	/** Globs as in `files.exclude`. */
	readonly excludes: readonly string[];
	/** Address of a SPARQL endpoint that answers in place of the embedded graph. */
	readonly graphEndpoint?: string;
	/** Whether results are words only, for clients that show the structure to the model instead of them, or besides. */
	readonly isTextOnly?: boolean;
}

/** As a command line says it. */
export function formatMcpArguments({
	workspaces,
	data,
	permissions,
	excludes,
	graphEndpoint,
	isTextOnly,
}: McpArguments): string[] {
	return [
		...workspaces.flatMap((folder) => ["--workspace", folder]),
		...(data ? ["--data", data] : []),
		...(permissions ? ["--permissions", permissions] : []),
		...excludes.map((glob) => `--exclude=${glob}`),
		...(graphEndpoint ? ["--graph-endpoint", graphEndpoint] : []),
		...(isTextOnly ? ["--text-only"] : []),
	];
}
