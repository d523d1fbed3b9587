import { setImmediate } from "node:timers/promises";
import type { Counted, Reading } from "../../base/words/textReader.ts";
import type { Embedder, WordModel } from "../../core/knowledge/embedder.ts";
import { normalize } from "../normalize.ts";
import { type ModelFiles, openModelFiles } from "./modelFiles.ts";
import type { Tokenizer, Tokens } from "./tokenizer.ts";

/** Characters of text that are embedded before other work of the process gets its turn: some milliseconds. */
const TURN_CHARACTERS = 100_000;

/** Both vocabularies begin with the most frequent pieces; that of all languages follows the one of English. */
const FIRST_OTHER = 32_000;

/** An embedder whose vectors are sums over a text's tokens: those of the tokenizer of English, or of the other one. */
export interface StaticEmbedder extends Embedder, Tokenizer, WordModel {
	/** Writes the vector of all tokens of a text's names. */
	addUp(names: Reading<Name>, into: Float32Array): void;
}

interface Name extends Counted {
	readonly tokens: Tokens;
}

/** The model that ships with the extension: a text's vector is the sum of its tokens' rows, normalized. */
export async function openStaticEmbedder(folder: string): Promise<StaticEmbedder> {
	const model = await openModelFiles(folder);
	const { tokenizer, columns: dimensions } = model;
	const add = createAddition(model);
	const addUp: StaticEmbedder["addUp"] = ({ folded, written }, into) => {
		if (isEnglish(written)) add(folded, "english", into);
		else {
			model.readOthers();
			add(written, "other", into);
		}
	};
	return {
		...tokenizer,
		id: model.id,
		dimensions,
		embed,
		rankOf: (word) => {
			const { english, other } = tokenizer.tokensOfName(word.toLowerCase());
			const ids = [english, other].flatMap((tokens) => (tokens.length === 1 ? tokens : []));
			const ranks = ids.map((id) => (id >= FIRST_OTHER ? id - FIRST_OTHER : id) + 1);
			return ranks.length > 0 ? Math.min(...ranks) : undefined;
		},
		addUp,
	};

	async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array> {
		const vectors = new Float32Array(texts.length * dimensions);
		let characters = 0;
		for (const [index, text] of texts.entries()) {
			if (characters > TURN_CHARACTERS) {
				await setImmediate();
				signal?.throwIfAborted();
				characters = 0;
			}
			addUp(tokenizer.read(text), vectors.subarray(index * dimensions, (index + 1) * dimensions));
			characters += text.length;
		}
		return vectors;
	}
}

/** What speaks neither for nor against English is English. */
function isEnglish(names: readonly Name[]): boolean {
	let foreignness = 0;
	for (const { tokens, times } of names) foreignness += tokens.foreignness * times;
	return foreignness <= 0;
}

function createAddition({ rows, sums }: ModelFiles) {
	const times = new Uint32Array(rows);
	return (names: readonly Name[], tokenizer: "english" | "other", into: Float32Array) => {
		const different = countTokens(names, tokenizer, times);
		sums.add(different, times, into);
		for (const token of different) times[token] = 0;
		normalize(into);
	};
}

/** The different tokens. `times`, of zeros, then has for each how often it is there. */
function countTokens(
	names: readonly Name[],
	tokenizer: "english" | "other",
	times: Uint32Array,
): readonly number[] {
	const different: number[] = [];
	for (const name of names)
		for (const token of name.tokens[tokenizer]) {
			if (times[token] === 0) different.push(token);
			times[token] = (times[token] as number) + name.times;
		}
	return different;
}
