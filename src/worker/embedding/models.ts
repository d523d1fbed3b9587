import { isAbsolute } from "node:path";
import { Failure, failureOf } from "../../base/failure.ts";
import { measured } from "../../base/traces/recorder.ts";
import {
	BUILT_IN,
	type Embedder,
	type EmbeddingSettings,
	type WordModel,
} from "../../core/knowledge/embedder.ts";
import { shareStaticEmbedder } from "../../embed/builtIn/staticEmbedder.ts";
import { createHttpModel, type HttpModelOptions } from "../../embed/http/httpModel.ts";
import { type Model, modelOf } from "../../embed/model.ts";
import { createEmbeddingProcess, createTransformerModel } from "../../embed/transformer/embeddingProcess.ts";
import { readModelForm } from "../../embed/transformer/modelForm.ts";
import type { EmbedderId, Store } from "../../store/port/store.ts";

export type Models = ReturnType<typeof withModel> & {
	/** Reason why another model than the chosen model is used. */
	readonly trouble?: string;
	/** Word ranks of the built-in model; omitted if it is unavailable or turned off. */
	readonly words?: WordModel;
};

export interface ModelsOptions {
	readonly keyOf: HttpModelOptions["keyOf"];
	readonly modelFolder: string;
	readonly embeddingProgram: string;
	readonly settings: EmbeddingSettings;
	readonly isChosen: boolean;
	readonly isReadOnly: boolean;
}

/** Never rejects because of invalid settings or an unreadable model: search by words remains possible. */
export async function openModels(options: ModelsOptions): Promise<Models> {
	const { provider } = options.settings;
	const none = (reason: string) => withModel(undefined, undefined, options, reason);
	if (provider === "none") return none('The setting copilot-LD.embedding.provider is "none".');
	const words = await shareStaticEmbedder(options.modelFolder).catch(failureOf);
	if (!(words instanceof Failure)) return { ...(await openChosen(modelOf(words), options)), words };
	if (provider === "built-in") return none(words.message);
	return openChosen(undefined, options);
}

async function openChosen(builtIn: Model | undefined, options: ModelsOptions): Promise<Models> {
	const { provider } = options.settings;
	try {
		if (provider === "local") return await withLocal(builtIn, options);
		return withModel((provider === "built-in" && builtIn) || createHttpModel(options), builtIn, options);
	} catch (thrown) {
		const { message: trouble } = failureOf(thrown);
		if (provider !== "local" || !builtIn) return withModel(undefined, undefined, options, trouble);
		return { ...withModel(builtIn, builtIn, { ...options, isChosen: false }), trouble };
	}
}

const NO_FOLDER =
	'The setting copilot-LD.embedding.options.folder is not an absolute path. Enter the path of the model\'s folder, or choose one with "Copilot-LD: Manage Models…".';

/** The built-in model embeds first, so that the first answer need not wait for the slower local model. */
async function withLocal(builtIn: Model | undefined, options: ModelsOptions): Promise<Models> {
	const { folder = "" } = options.settings;
	if (!isAbsolute(folder)) throw new Failure("BAD_INPUT", NO_FOLDER);
	const form = await readModelForm(folder);
	const process = createEmbeddingProcess(options.embeddingProgram, folder);
	const wanted = createTransformerModel(form, process);
	return { ...withModel(wanted, builtIn, options), first: builtIn ?? wanted, close: process.close };
}

/** If `wanted` is undefined, `why` gives the reason. */
function withModel(wanted: Model | undefined, builtIn: Model | undefined, options: ModelsOptions, why = "") {
	const find = (id: string) => [wanted, builtIn].find((model) => model?.id === id);
	/** The user's choice may replace vectors of any model; a built-in model, only those of another built-in model. */
	const mayReplace = ({ id }: EmbedderId) =>
		wanted !== undefined &&
		!options.isReadOnly &&
		(options.isChosen || (wanted === builtIn && id.startsWith(BUILT_IN)));
	return {
		wanted,
		/** Model for the first vectors of an index. The vectors of a slower model replace them later. */
		first: wanted,
		mayReplace,
		/** Whether the id names the built-in model, which parser processes have too. */
		isBuiltIn: (id: string | undefined) => builtIn !== undefined && builtIn.id === id,
		find,
		/** Returns why vectors of this model cannot be searched; `undefined` if they can. */
		staleness: (made: EmbedderId | undefined) => {
			if (!wanted) return why;
			if (!made) return "The passages have no vectors yet.";
			if (find(made.id)) return undefined;
			return mayReplace(made)
				? `The vectors were made with ${made.id}, which is no longer available; new ones are being made with ${wanted.id}.`
				: `The vectors were made with ${made.id}, which is not available here.`;
		},
		close: (): void => undefined,
	};
}

/** Embeds questions with the model of the stored vectors. If it fails, returns zero vectors, which find nothing. */
export function createQuestionEmbedder(store: Store, models: Models) {
	let trouble: readonly string[] = [];
	return {
		get id() {
			return store.embedder()?.id ?? "none";
		},
		get dimensions() {
			return store.embedder()?.dimensions ?? 0;
		},
		get isStatic() {
			return models.isBuiltIn(store.embedder()?.id);
		},
		get languages() {
			return models.find(store.embedder()?.id ?? "")?.languages;
		},
		get trouble() {
			return trouble;
		},
		embed: async (texts, signal = new AbortController().signal) => {
			const made = store.embedder();
			const model = made && models.find(made.id);
			if (!model) return new Float32Array(texts.length * (made?.dimensions ?? 0));
			try {
				const asking = () => model.questions(texts, signal);
				const vectors = await measured("embed the query", asking);
				requireSame(vectors, texts.length, made);
				trouble = [];
				return vectors;
			} catch (thrown) {
				if (!(thrown instanceof Failure)) throw thrown;
				trouble = [`Only full text was searched. ${thrown.message}`];
				return new Float32Array(texts.length * made.dimensions);
			}
		},
	} satisfies Embedder & { readonly trouble: unknown };
}

/** Throws if the dimensions differ: the endpoint may have another model of the same name. */
export function requireSame(vectors: Float32Array, texts: number, { id, dimensions }: EmbedderId): void {
	if (vectors.length === texts * dimensions) return;
	throw new Failure(
		"ENDPOINT_FAILED",
		`${id} returns vectors of ${vectors.length / texts} numbers, but those in the index have ${dimensions}: the model has changed. Run "Copilot-LD: Rebuild Index".`,
	);
}
