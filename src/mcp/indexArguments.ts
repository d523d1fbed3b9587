import { Failure } from "../base/failure.ts";
import type { McpArguments } from "../protocol/mcpArguments.ts";

/** What the command line says of the place of the index, and of the model of its vectors. */
export const INDEX_OPTIONS = {
	"storage-uri": { type: "string" },
	"storage-option": { type: "string", multiple: true },
	"read-only": { type: "boolean" },
	"embedding-endpoint": { type: "string" },
	"embedding-model": { type: "string" },
	"embedding-dimensions": { type: "string" },
	"embedding-batch-size": { type: "string" },
	"embedding-query-prefix": { type: "string" },
	"embedding-passage-prefix": { type: "string" },
	"no-embedding": { type: "boolean" },
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
export function readIndexArguments(values: IndexValues): Pick<McpArguments, "storage" | "embedding"> {
	const storage = storageOf(values);
	const embedding = embeddingOf(values);
	return { ...(storage && { storage }), ...(embedding && { embedding }) };
}

function storageOf(values: IndexValues): McpArguments["storage"] {
	const { "storage-uri": uri, "storage-option": pairs, "read-only": readOnly } = values;
	if (uri === undefined && pairs === undefined && !readOnly) return undefined;
	return {
		...(uri && { uri }),
		...(pairs && { options: Object.fromEntries(pairs.map(readPair)) }),
		...(readOnly && { readOnly }),
	};
}

function readPair(pair: string): [string, string] {
	const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
	if (name !== undefined && value !== undefined) return [name, value];
	throw new Failure("BAD_INPUT", `--storage-option wants NAME=VALUE, and not ${JSON.stringify(pair)}.`);
}

function embeddingOf(values: IndexValues): McpArguments["embedding"] {
	if (values["no-embedding"]) return { provider: "none" };
	const { "embedding-endpoint": endpoint, "embedding-model": model } = values;
	if (endpoint === undefined) return undefined;
	const dimensions = readCount(values, "embedding-dimensions");
	const batchSize = readCount(values, "embedding-batch-size");
	return {
		...{ provider: "openai-compatible", endpoint, ...(model && { model }) },
		...(dimensions && { dimensions }),
		...(batchSize && { batchSize }),
		...prefixesOf(values),
	};
}

function prefixesOf(values: IndexValues) {
	const { "embedding-query-prefix": queryPrefix, "embedding-passage-prefix": passagePrefix } = values;
	return { ...(queryPrefix && { queryPrefix }), ...(passagePrefix && { passagePrefix }) };
}

function readCount(
	values: IndexValues,
	name: "embedding-dimensions" | "embedding-batch-size",
): number | undefined {
	const text = values[name];
	if (text === undefined) return undefined;
	if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
	throw new Failure("BAD_INPUT", `--${name} wants a number, and not ${JSON.stringify(text)}.`);
}
