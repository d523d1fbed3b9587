import { fieldOf } from "../base/values.ts";
import type { EmbeddingSettings } from "../core/knowledge/embedder.ts";
import { SEARCHED_INDEXES } from "../core/knowledge/knowledge.ts";
import type { McpArguments } from "./worker.ts";

export interface McpOption {
	/** Path of the value in `McpArguments`; omitted if the option has its own parser. */
	readonly at?: string;
	/** Absent if the value is a text. */
	readonly type?: "flag" | "list" | "pairs" | "integer" | "decimal";
	readonly range?: readonly [least: number, most: number];
	readonly choices?: readonly string[];
	/** Embedding provider that the option is for; `formatMcpArguments` omits the option for other providers. */
	readonly provider?: EmbeddingSettings["provider"];
	readonly short?: string;
}

const flag = (at?: string): McpOption => ({ type: "flag", ...(at && { at }) });
const integer = (at: string, least = 1, most = 999_999): McpOption => ({
	at,
	type: "integer",
	range: [least, most],
});
const ofEndpoint = (option: McpOption): McpOption => ({ ...option, provider: "openai-compatible" });

/** Command-line options of the MCP program. Ranges equal those of the settings with the same names. */
export const MCP_OPTIONS = {
	workspace: { at: "workspaces", type: "list" },
	data: { at: "data" },
	permissions: { at: "permissions" },
	allow: { type: "list" },
	"agree-plugin": { type: "list" },
	sessions: { at: "sessions" },
	exclude: { at: "excludes", type: "list" },
	"agent-instructions": flag("agentInstructions"),
	"graph-endpoint": { at: "graphEndpoint" },
	"text-only": flag("isTextOnly"),
	"storage-uri": { at: "storage.uri" },
	"storage-option": { at: "storage.options", type: "pairs" },
	// 0 turns off the copy of the index in memory.
	"storage-memory": integer("storage.memoryMb", 0),
	"read-only": flag("storage.readOnly"),
	"embedding-folder": { at: "embedding.folder", provider: "local" },
	"embedding-endpoint": ofEndpoint({ at: "embedding.endpoint" }),
	"embedding-model": ofEndpoint({ at: "embedding.model" }),
	"embedding-dimensions": ofEndpoint(integer("embedding.dimensions")),
	"embedding-batch-size": ofEndpoint(integer("embedding.batchSize")),
	"embedding-query-prefix": ofEndpoint({ at: "embedding.queryPrefix" }),
	"embedding-passage-prefix": ofEndpoint({ at: "embedding.passagePrefix" }),
	"no-embedding": { ...flag(), provider: "none" },
	"search-index": { at: "search.index", choices: SEARCHED_INDEXES },
	"search-threshold": { at: "search.threshold", type: "decimal", range: [0, 1] },
	"search-max-tokens": integer("search.maxTokens"),
	"agents-max-tokens": integer("agents.maxTokens", 1000, Number.MAX_SAFE_INTEGER),
	"agents-max-minutes": integer("agents.maxMinutes", 1, 1440),
	"agents-step-timeout": integer("agents.stepTimeout", 1, 86_400),
	"agents-answer-timeout": integer("agents.answerTimeout", 1, 86_400),
	"agents-answer-tokens": integer("agents.answerTokens", 64, 1_000_000),
	"model-endpoint": { at: "model.endpoint" },
	model: { at: "model.name" },
	"model-window": integer("agents.modelWindow", 2048, 100_000_000),
	"otlp-endpoint": { at: "otlp.endpoint" },
	"otlp-contents": flag("otlp.contents"),
	check: flag("isCheck"),
	test: flag("isTest"),
	junit: { at: "junit" },
	"problem-report": { at: "problemReport" },
	version: flag(),
	help: { ...flag(), short: "h" },
} satisfies Readonly<Record<string, McpOption>>;

/** Writes options as `--name=value`, because a value may begin with a dash. Skips options without `at`. */
export function formatMcpArguments(given: McpArguments): string[] {
	return Object.entries<McpOption>(MCP_OPTIONS).flatMap(([name, { at = "", provider }]) => {
		if (provider !== undefined && given.embedding?.provider !== provider) return [];
		const value = provider === "none" || at.split(".").reduce<unknown>(fieldOf, given);
		if (value === true) return `--${name}`;
		return textsIn(value).map((text) => `--${name}=${text}`);
	});
}

function textsIn(value: unknown): string[] {
	if (Array.isArray(value)) return value;
	if (typeof value === "object" && value !== null)
		return Object.entries(value).map(([name, text]) => `${name}=${text}`);
	return value === undefined || value === false || value === "" ? [] : [String(value)];
}
