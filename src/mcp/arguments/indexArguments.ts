import { resolve } from "node:path";
import { Failure } from "../../base/failure.ts";
import { SEARCHED_INDEXES, type SearchedIndex } from "../../core/knowledge/knowledge.ts";
import type { McpArguments } from "../../protocol/worker.ts";

/** What the command line says of the place of the index, of the model of its vectors, and of how it is searched. */
export const INDEX_OPTIONS = {
	"storage-uri": { type: "string" },
	"storage-option": { type: "string", multiple: true },
	"storage-memory": { type: "string" },
	"read-only": { type: "boolean" },
	"embedding-folder": { type: "string" },
	"embedding-endpoint": { type: "string" },
	"embedding-model": { type: "string" },
	"embedding-dimensions": { type: "string" },
	"embedding-batch-size": { type: "string" },
	"embedding-query-prefix": { type: "string" },
	"embedding-passage-prefix": { type: "string" },
	"no-embedding": { type: "boolean" },
	"search-index": { type: "string" },
	"search-threshold": { type: "string" },
	"search-max-tokens": { type: "string" },
} as const;

type OptionName = keyof typeof INDEX_OPTIONS;

/** As `parseArgs` gives them. */
type IndexValues = {
	readonly [Name in OptionName]?: Name extends "read-only" | "no-embedding"
		? boolean
		: Name extends "storage-option"
			? string[]
			: string;
};

/** Fails with BAD_INPUT at what is no option of a store or no number. */
export function readIndexArguments(
	values: IndexValues,
): Pick<McpArguments, "storage" | "embedding" | "search"> {
	const storage = storageOf(values);
	const embedding = embeddingOf(values);
	const search = searchOf(values);
	return { ...(storage && { storage }), ...(embedding && { embedding }), ...(search && { search }) };
}

function storageOf(values: IndexValues): McpArguments["storage"] {
	const { "storage-uri": uri, "storage-option": pairs, "read-only": readOnly } = values;
	const memoryMb = readMegabytes(values["storage-memory"]);
	if (uri === undefined && pairs === undefined && memoryMb === undefined && !readOnly) return undefined;
	return {
		...(uri && { uri }),
		...(pairs && { options: Object.fromEntries(pairs.map(readPair)) }),
		...(readOnly && { readOnly }),
		...(memoryMb !== undefined && { memoryMb }),
	};
}

/** 0 is allowed and disables the copy. */
function readMegabytes(text: string | undefined): number | undefined {
	if (text === undefined || /^\d{1,6}$/.test(text)) return text === undefined ? undefined : Number(text);
	throw new Failure(
		"BAD_INPUT",
		`--storage-memory wants a number of megabytes, and not ${JSON.stringify(text)}.`,
	);
}

function readPair(pair: string): [string, string] {
	const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
	if (name !== undefined && value !== undefined) return [name, value];
	throw new Failure("BAD_INPUT", `--storage-option wants NAME=VALUE, and not ${JSON.stringify(pair)}.`);
}

function embeddingOf(values: IndexValues): McpArguments["embedding"] {
	if (values["no-embedding"]) return { provider: "none" };
	const { "embedding-folder": folder, "embedding-endpoint": endpoint, "embedding-model": model } = values;
	if (folder !== undefined) return { provider: "local", folder: resolve(folder) };
	if (endpoint === undefined) return undefined;
	const dimensions = readCount(values, "embedding-dimensions");
	const batchSize = readCount(values, "embedding-batch-size");
	return {
		provider: "openai-compatible",
		endpoint,
		...(model && { model }),
		...(dimensions && { dimensions }),
		...(batchSize && { batchSize }),
		...prefixesOf(values),
	};
}

function searchOf(values: IndexValues): McpArguments["search"] {
	const { "search-index": index, "search-threshold": threshold } = values;
	const maxTokens = readCount(values, "search-max-tokens");
	const search = {
		...(index !== undefined && { index: readIndexName(index) }),
		...(threshold !== undefined && { threshold: readThreshold(threshold) }),
		...(maxTokens !== undefined && { maxTokens }),
	};
	return Object.keys(search).length > 0 ? search : undefined;
}

function readIndexName(text: string): SearchedIndex {
	const found = SEARCHED_INDEXES.find((name) => name === text);
	if (found) return found;
	const names = SEARCHED_INDEXES.join(", ");
	throw new Failure("BAD_INPUT", `--search-index wants one of ${names}, and not ${JSON.stringify(text)}.`);
}

function readThreshold(text: string): number {
	if (/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text)) return Number(text);
	throw new Failure(
		"BAD_INPUT",
		`--search-threshold wants a number from 0 to 1, and not ${JSON.stringify(text)}.`,
	);
}

function prefixesOf(values: IndexValues) {
	const { "embedding-query-prefix": queryPrefix, "embedding-passage-prefix": passagePrefix } = values;
	return { ...(queryPrefix && { queryPrefix }), ...(passagePrefix && { passagePrefix }) };
}

function readCount(
	values: IndexValues,
	name: "embedding-dimensions" | "embedding-batch-size" | "search-max-tokens",
): number | undefined {
	const text = values[name];
	if (text === undefined) return undefined;
	if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
	throw new Failure("BAD_INPUT", `--${name} wants a number, and not ${JSON.stringify(text)}.`);
}
