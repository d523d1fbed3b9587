import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { readModelForm } from "../../src/embed/transformer/modelForm.ts";
import { openSentenceTransformer } from "../../src/embed/transformer/sentenceTransformer.ts";
import { outFolder } from "../paths.ts";

/** Number of bytes of a text's key in the file: a part of its SHA-256. */
const NAME = 16;

/** Number of texts between two writes, at most lost by an interrupted run. */
const CHUNK = 256;

/** Opens a local transformer for passages and questions. Saves vectors in `out`, so collections are embedded once. */
export async function openTransformer(folder: string) {
	const { id, queryPrefix, passagePrefix } = await readModelForm(folder);
	const { dimensions, keep, vectors } = await openKept(id, folder);
	const embedderOf = (prefix: string): Embedder => ({
		id,
		dimensions,
		embed: async (texts) => {
			const prefixed = texts.map((text) => prefix + text);
			await keep(prefixed);
			const all = new Float32Array(texts.length * dimensions);
			for (const [index, text] of prefixed.entries())
				all.set(vectors.get(nameOf(text)) ?? [], index * dimensions);
			return all;
		},
	});
	return { passages: embedderOf(passagePrefix), questions: embedderOf(queryPrefix) };
}

async function openKept(id: string, folder: string) {
	const model = await openSentenceTransformer(folder);
	const { length: dimensions } = await model.embed(["How long are vectors?"]);
	const file = join(outFolder, "vectors", `${id}.bin`);
	mkdirSync(join(outFolder, "vectors"), { recursive: true });
	const vectors = existsSync(file)
		? readKept(readFileSync(file), dimensions)
		: new Map<string, Float32Array>();
	return { dimensions, vectors, keep };

	async function keep(texts: readonly string[]): Promise<void> {
		const missing = [...new Set(texts)].filter((text) => !vectors.has(nameOf(text)));
		for (let start = 0; start < missing.length; start += CHUNK) {
			const chunk = missing.slice(start, start + CHUNK);
			const made = await model.embed(chunk);
			for (const [index, text] of chunk.entries()) {
				const vector = made.slice(index * dimensions, (index + 1) * dimensions);
				vectors.set(nameOf(text), vector);
				appendFileSync(file, Buffer.concat([hashOf(text), Buffer.from(vector.buffer)]));
			}
		}
	}
}

function readKept(bytes: Buffer, dimensions: number): Map<string, Float32Array> {
	const size = NAME + dimensions * Float32Array.BYTES_PER_ELEMENT;
	const kept = new Map<string, Float32Array>();
	for (let start = 0; start + size <= bytes.length; start += size) {
		const { buffer } = Uint8Array.from(bytes.subarray(start + NAME, start + size));
		kept.set(bytes.toString("hex", start, start + NAME), new Float32Array(buffer));
	}
	return kept;
}

function hashOf(text: string): Buffer {
	return createHash("sha256").update(text).digest().subarray(0, NAME);
}

function nameOf(text: string): string {
	return hashOf(text).toString("hex");
}
