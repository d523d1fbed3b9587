import type { EmbeddingSettings } from "../core/knowledge/embedder.ts";
import type { SearchChoice } from "../core/knowledge/knowledge.ts";
import type { StorageSettings } from "../core/knowledge/storage.ts";

/** What the MCP program is started with. Secrets stand in variables: a command line is seen by everybody. */
export interface McpArguments {
	/** Absolute or relative paths of the folders whose files are the knowledge; at least one. */
	readonly workspaces: readonly string[];
	/** Path of the folder that holds the index; the program chooses one where it is left out. */
	readonly data?: string;
	/** Path of the folder that holds the rules of permission; every call is allowed where it is left out. */
	readonly permissions?: string;
	/** Path of the folder that keeps what clients ask and are told; nothing is kept where it is left out. */
	readonly sessions?: string;
	/** Globs as in `files.exclude`. */
	readonly excludes: readonly string[];
	/** Whether files that tell agents what to do are indexed too. */
	readonly agentInstructions?: boolean;
	/** Address of a SPARQL endpoint that answers in place of the embedded graph. */
	readonly graphEndpoint?: string;
	/** Whether results are words only, for clients that show the structure to the model instead of them, or besides. */
	readonly isTextOnly?: boolean;
	readonly tests?: {
		/** Path of the file that gets the outcomes as JUnit XML. */
		readonly junit?: string;
	};
	/** What answers whole questions in place of the client's model, and judges the criteria of tests. */
	readonly model?: ModelChoice;
	readonly storage?: StorageSettings;
	/** How it is searched where a call does not say. */
	readonly search?: SearchChoice;
	/** The model that made the vectors that are there where it is left out. */
	readonly embedding?: EmbeddingSettings;
	readonly agents?: AgentLimits;
}

/** What a chain of agents may take; each as the setting of the same name says. */
export interface AgentLimits {
	readonly maxTokens?: number;
	readonly maxMinutes?: number;
	/** Seconds. */
	readonly stepTimeout?: number;
}

export interface ModelChoice {
	readonly endpoint: string;
	readonly name: string;
}

export function formatMcpArguments(given: McpArguments): string[] {
	const { workspaces, data, permissions, sessions, storage, search, model, agents } = given;
	const folders = { data, permissions, sessions };
	return [
		workspaces.flatMap((folder) => ["--workspace", folder]),
		Object.entries(folders).flatMap(([name, folder]) => (folder ? [`--${name}`, folder] : [])),
		given.excludes.map((glob) => `--exclude=${glob}`),
		optionsOf({
			"agent-instructions": given.agentInstructions,
			"graph-endpoint": given.graphEndpoint,
			"text-only": given.isTextOnly,
			test: given.tests !== undefined,
			junit: given.tests?.junit,
			"model-endpoint": model?.endpoint,
			model: model?.name,
			"storage-uri": storage?.uri,
			"read-only": storage?.readOnly,
			"storage-memory": storage?.memoryMb,
			"search-index": search?.index,
			"search-threshold": search?.threshold,
			"search-max-tokens": search?.maxTokens,
			"agents-max-tokens": agents?.maxTokens,
			"agents-max-minutes": agents?.maxMinutes,
			"agents-step-timeout": agents?.stepTimeout,
		}),
		Object.entries(storage?.options ?? {}).map(([name, value]) => `--storage-option=${name}=${value}`),
		given.embedding ? embeddingArguments(given.embedding) : [],
	].flat();
}

function embeddingArguments(settings: EmbeddingSettings): string[] {
	if (settings.provider === "built-in") return [];
	if (settings.provider === "none") return ["--no-embedding"];
	if (settings.provider === "local") return [`--embedding-folder=${settings.folder ?? ""}`];
	const options = optionsOf({
		"embedding-model": settings.model,
		"embedding-dimensions": settings.dimensions,
		"embedding-batch-size": settings.batchSize,
		"embedding-query-prefix": settings.queryPrefix,
		"embedding-passage-prefix": settings.passagePrefix,
	});
	return [`--embedding-endpoint=${settings.endpoint ?? ""}`, ...options];
}

/** Each in one piece: a value may begin with a dash. */
function optionsOf(values: Readonly<Record<string, string | number | boolean | undefined>>): string[] {
	return Object.entries(values).flatMap(([name, value]) => {
		if (value === true) return `--${name}`;
		return value === undefined || value === false || value === "" ? [] : `--${name}=${value}`;
	});
}
