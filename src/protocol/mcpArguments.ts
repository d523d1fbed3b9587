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
	/** Runs the folders' tests and ends. */
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

/** A model of a server that speaks OpenAI's protocol. */
export interface ModelChoice {
	/** The server's address, as a person writes it. */
	readonly endpoint: string;
	readonly name: string;
}

/** As a command line says it. */
export function formatMcpArguments({
	workspaces,
	data,
	permissions,
	sessions,
	excludes,
	agentInstructions,
	graphEndpoint,
	isTextOnly,
	tests,
	model,
	storage,
	search,
	embedding,
	agents,
}: McpArguments): string[] {
	return [
		...workspaces.flatMap((folder) => ["--workspace", folder]),
		...(data ? ["--data", data] : []),
		...(permissions ? ["--permissions", permissions] : []),
		...(sessions ? ["--sessions", sessions] : []),
		...excludes.map((glob) => `--exclude=${glob}`),
		...(agentInstructions ? ["--agent-instructions"] : []),
		...(graphEndpoint ? ["--graph-endpoint", graphEndpoint] : []),
		...(isTextOnly ? ["--text-only"] : []),
		...(tests ? ["--test", ...optionOf("junit", tests.junit)] : []),
		...optionOf("model-endpoint", model?.endpoint),
		...optionOf("model", model?.name),
		...(storage ? storageArguments(storage) : []),
		...(search ? searchArguments(search) : []),
		...(embedding ? embeddingArguments(embedding) : []),
		...optionOf("agents-max-tokens", agents?.maxTokens),
		...optionOf("agents-max-minutes", agents?.maxMinutes),
		...optionOf("agents-step-timeout", agents?.stepTimeout),
	];
}

function storageArguments({ uri, options = {}, readOnly, memoryMb }: StorageSettings): string[] {
	return [
		...optionOf("storage-uri", uri),
		...Object.entries(options).map(([name, value]) => `--storage-option=${name}=${value}`),
		...(readOnly ? ["--read-only"] : []),
		...optionOf("storage-memory", memoryMb),
	];
}

function searchArguments({ index, threshold, maxTokens }: SearchChoice): string[] {
	return [
		...optionOf("search-index", index),
		...optionOf("search-threshold", threshold),
		...optionOf("search-max-tokens", maxTokens),
	];
}

function embeddingArguments(settings: EmbeddingSettings): string[] {
	const { provider, endpoint = "", model, dimensions, batchSize, queryPrefix, passagePrefix } = settings;
	if (provider === "built-in") return [];
	if (provider === "none") return ["--no-embedding"];
	return [
		`--embedding-endpoint=${endpoint}`,
		...optionOf("embedding-model", model),
		...optionOf("embedding-dimensions", dimensions),
		...optionOf("embedding-batch-size", batchSize),
		...optionOf("embedding-query-prefix", queryPrefix),
		...optionOf("embedding-passage-prefix", passagePrefix),
	];
}

/** In one piece: a value may begin with a dash. */
function optionOf(name: string, value: string | number | undefined): string[] {
	return value === undefined || value === "" ? [] : [`--${name}=${value}`];
}
