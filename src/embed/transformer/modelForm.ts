import { createHash } from "node:crypto";
import { open, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod/mini";
import { Failure } from "../../base/failure.ts";
import { offeredModels } from "./offeredModels.ts";

/** How token vectors are combined into one vector: the first vector, or the mean. */
export type Pooling = "cls" | "mean";

export type ModelForm = Awaited<ReturnType<typeof readModelForm>>;

/** File names of weights, preferred first. Quantized weights take a quarter of the time and lose almost nothing. */
const WEIGHTS = ["model_quantized.onnx", "model_int8.onnx", "model.onnx"];

/** Default for the maximum number of tokens of an input. */
const LONGEST = 512;
/** Bytes of each of three samples of the weights, whose hash identifies a model. */
const SAMPLE = 1 << 18;

/** Fewer than 8 tokens would leave no room for text beside the special tokens. */
const tokens = z.optional(z.number().check(z.gte(8)));
const config = z.object({ max_position_embeddings: tokens });
const tokenizerConfig = z.looseObject({ model_max_length: tokens });
const sentenceConfig = z.object({ max_seq_length: tokens });
const modulesConfig = z.array(z.object({ type: z.string() }));
const promptsConfig = z.object({ prompts: z.optional(z.record(z.string(), z.string())) });
const poolingConfig = z.object({
	pooling_mode: z.optional(z.string()),
	pooling_mode_cls_token: z.optional(z.boolean()),
	pooling_mode_mean_tokens: z.optional(z.boolean()),
});

/** Reads a model in the layout of sentence-transformers. Throws a `Failure` that names the missing or invalid file. */
export async function readModelForm(folder: string) {
	// For an offered model, facts that are not in the files of the repository.
	const offered = offeredModels.find(({ name }) => name === basename(folder));
	const stated = { maxTokens: LONGEST, queryPrefix: "", passagePrefix: "", ...offered?.form };
	await requireModules(folder);
	const pooling = (await readPooling(folder)) ?? stated.pooling;
	if (!pooling) throw missing(folder, "1_Pooling/config.json");
	const { prompts = {} } = (await read(folder, "config_sentence_transformers.json", promptsConfig)) ?? {};
	const weights = await findWeights(folder);
	/** Everything except the weights that affects vectors. */
	const means = {
		...(await readTokenizer(folder, stated.maxTokens)),
		pooling,
		queryPrefix: prompts["query"] ?? stated.queryPrefix,
		passagePrefix: prompts["passage"] ?? prompts["document"] ?? stated.passagePrefix,
	};
	const id = `${basename(folder)} ${await fingerprintOf(weights, means)}`;
	const languages = offered?.languages === "English" ? new Set(["en"]) : undefined;
	return { id, weights, languages, ...means };
}

async function readTokenizer(folder: string, stated: number) {
	const tokenizer = await read(folder, "tokenizer.json", z.looseObject({}));
	if (!tokenizer) throw missing(folder, "tokenizer.json");
	const model = await read(folder, "config.json", config);
	if (!model) throw missing(folder, "config.json");
	const configured = (await read(folder, "tokenizer_config.json", tokenizerConfig)) ?? {};
	const sentence = await read(folder, "sentence_bert_config.json", sentenceConfig);
	const limits = [model.max_position_embeddings, configured.model_max_length, sentence?.max_seq_length];
	const maxTokens = Math.min(stated, ...limits.map((limit = LONGEST) => limit));
	return { tokenizer, tokenizerConfig: configured, maxTokens };
}

/** Reads a file; `undefined` if it is missing. */
async function read<Schema extends z.ZodMiniType>(folder: string, file: string, schema: Schema) {
	const path = join(folder, file);
	const text = await readFile(path, "utf8").catch(() => undefined);
	if (text === undefined) return undefined;
	try {
		return schema.parse(JSON.parse(text));
	} catch (cause) {
		const message = `${path} does not have the content of a model's file. Choose another folder.`;
		throw new Failure("BAD_INPUT", message, { cause });
	}
}

/** Throws if the model needs modules other than pooling and normalization, which would run the model's own code. */
async function requireModules(folder: string): Promise<void> {
	const modules = (await read(folder, "modules.json", modulesConfig)) ?? [];
	const unknown = modules.find(({ type }) => !/\.(Transformer|Pooling|Normalize)$/.test(type));
	if (unknown)
		throw new Failure(
			"BAD_INPUT",
			`The model needs the module ${unknown.type}, which is not supported. Choose another model.`,
		);
}

async function readPooling(folder: string): Promise<Pooling | undefined> {
	const pooling = await read(folder, "1_Pooling/config.json", poolingConfig);
	if (pooling?.pooling_mode === "cls" || pooling?.pooling_mode_cls_token) return "cls";
	return pooling?.pooling_mode === "mean" || pooling?.pooling_mode_mean_tokens ? "mean" : undefined;
}

async function findWeights(folder: string): Promise<string> {
	const files = await readdir(join(folder, "onnx")).catch(() => []);
	const found = files.filter((file) => file.endsWith(".onnx"));
	const chosen = WEIGHTS.find((name) => found.includes(name)) ?? (found.length === 1 ? found[0] : undefined);
	if (!chosen) throw missing(folder, `onnx/${WEIGHTS[0]}`);
	return join(folder, "onnx", chosen);
}

async function fingerprintOf(weights: string, means: object): Promise<string> {
	await using file = await open(weights);
	const { size } = await file.stat();
	const hash = createHash("sha256").update(JSON.stringify(means)).update(`${size}`);
	for (const start of [0, Math.floor(size / 2), Math.max(0, size - SAMPLE)]) {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE), 0, SAMPLE, start);
		hash.update(buffer.subarray(0, bytesRead));
	}
	return hash.digest("hex").slice(0, 8);
}

function missing(folder: string, path: string): Failure {
	return new Failure(
		"BAD_INPUT",
		`${folder} is not a model in the form of sentence-transformers: ${path} is missing. Choose the folder that has config.json, tokenizer.json, and onnx/.`,
	);
}
