/** Sizes of the model: one layer, for which a second is enough for hundreds of tokens. */
import { times } from "../support/times.ts";

const [WIDTH, HEADS, INNER, CONTEXT] = [64, 2, 128, 16_384];

/** What it says; all else it only reads. */
const WORDS = ["▁the", "▁lamp", "▁of", "▁Skagen", "▁is", "▁lit", "▁at", "▁dusk", "▁keeper", "▁tower", "."];
const LETTERS = times(95, (at) => String.fromCharCode(32 + at)).map((letter) => letter.replace(" ", "▁"));
const BYTES = times(256, (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
const TOKENS = ["<unk>", "<s>", "</s>", ...BYTES, ...LETTERS.filter((letter) => letter !== "."), ...WORDS];
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];
const KINDS = TOKENS.map(
	(token, at) => [UNKNOWN, CONTROL, CONTROL][at] ?? (BYTES.includes(token) ? BYTE : NORMAL),
);

type Value = string | number | { readonly float: number } | readonly string[];

const METADATA: Readonly<Record<string, Value>> = {
	"general.architecture": "llama",
	"llama.context_length": CONTEXT,
	"llama.embedding_length": WIDTH,
	"llama.block_count": 1,
	"llama.feed_forward_length": INNER,
	"llama.attention.head_count": HEADS,
	"llama.attention.layer_norm_rms_epsilon": { float: 1e-5 },
	"llama.rope.dimension_count": WIDTH / HEADS,
	"tokenizer.ggml.model": "llama",
	"tokenizer.ggml.tokens": TOKENS,
	"tokenizer.ggml.bos_token_id": 1,
	"tokenizer.ggml.eos_token_id": 2,
	"tokenizer.ggml.unknown_token_id": 0,
};

type Fill = (at: number) => number;

/** A language model with random weights, as a file of llama.cpp (GGUF, version 3). It never ends by itself. */
export function tinyGguf(): Buffer {
	let seed = 7;
	const random = () => {
		seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
		return seed / 2 ** 32 - 0.5;
	};
	const small: Fill = () => random() / 4;
	const said: Fill = (at) => (at >= (TOKENS.length - WORDS.length) * WIDTH ? random() * 4 : 0);
	const tensors: (readonly [name: string, sizes: readonly number[], fill: Fill])[] = [
		["token_embd", [WIDTH, TOKENS.length], random],
		["output_norm", [WIDTH], () => 1],
		["output", [WIDTH, TOKENS.length], said],
		...["attn_norm", "ffn_norm"].map((name) => [`blk.0.${name}`, [WIDTH], () => 1] as const),
		...["q", "k", "v", "output"].map((name) => [`blk.0.attn_${name}`, [WIDTH, WIDTH], small] as const),
		...["gate", "up"].map((name) => [`blk.0.ffn_${name}`, [WIDTH, INNER], small] as const),
		["blk.0.ffn_down", [INNER, WIDTH], small],
	];
	const file = createWriter();
	file
		.bytes("GGUF")
		.u32(3)
		.u64(tensors.length)
		.u64(Object.keys(METADATA).length + 2);
	for (const [name, value] of Object.entries(METADATA)) file.text(name).value(value);
	file.text("tokenizer.ggml.scores").u32(9).u32(6).u64(TOKENS.length);
	for (const at of TOKENS.keys()) file.f32(-at);
	file.text("tokenizer.ggml.token_type").u32(9).u32(5).u64(TOKENS.length);
	for (const kind of KINDS) file.u32(kind);
	let offset = 0;
	for (const [name, sizes] of tensors) {
		file.text(`${name}.weight`).u32(sizes.length);
		for (const size of sizes) file.u64(size);
		file.u32(0).u64(offset);
		// All sizes are whole multiples of the alignment.
		offset += 4 * sizes.reduce((product, size) => product * size);
	}
	file.align();
	for (const [, sizes, fill] of tensors)
		for (let at = 0; at < sizes.reduce((product, size) => product * size); at++) file.f32(fill(at));
	return file.whole();
}

function createWriter() {
	const parts: Buffer[] = [];
	const add = (part: Buffer) => {
		parts.push(part);
		return writer;
	};
	const number = (size: number, write: (part: Buffer) => void) => {
		const part = Buffer.alloc(size);
		write(part);
		return add(part);
	};
	const writer = {
		bytes: (text: string) => add(Buffer.from(text)),
		u32: (value: number) => number(4, (part) => part.writeUInt32LE(value)),
		u64: (value: number) => number(8, (part) => part.writeBigUInt64LE(BigInt(value))),
		f32: (value: number) => number(4, (part) => part.writeFloatLE(value)),
		text: (text: string) => writer.u64(Buffer.byteLength(text)).bytes(text),
		value: (value: Value) => {
			if (typeof value === "string") return writer.u32(8).text(value);
			if (typeof value === "number") return writer.u32(4).u32(value);
			if ("float" in value) return writer.u32(6).f32(value.float);
			writer.u32(9).u32(8).u64(value.length);
			for (const text of value) writer.text(text);
			return writer;
		},
		align: () => add(Buffer.alloc((32 - (Buffer.concat(parts).length % 32)) % 32)),
		whole: () => Buffer.concat(parts),
	};
	return writer;
}
