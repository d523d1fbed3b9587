/** Sizes of the model: its single layer generates hundreds of tokens per second. */
import { times } from "../support/times.ts";

const [WIDTH, HEADS, INNER, CONTEXT] = [64, 2, 128, 16_384];

/** Words that the model writes; other tokens only occur in its input. */
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

/** Builds a language model with random weights as a GGUF file (version 3). Its answers never end. */
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
	const values = Object.entries(METADATA).flatMap(([name, value]) => [text(name), ...written(value)]);
	const scores = TOKENS.map((_, at) => f32(-at));
	const head = [Buffer.from("GGUF"), u32(3), u64(tensors.length), u64(Object.keys(METADATA).length + 2)];
	const tokens = [
		...[text("tokenizer.ggml.scores"), u32(9), u32(6), u64(TOKENS.length), ...scores],
		...[text("tokenizer.ggml.token_type"), u32(9), u32(5), u64(TOKENS.length), ...KINDS.map(u32)],
	];
	let offset = 0;
	const infos = tensors.flatMap(([name, sizes]) => {
		const at = offset;
		// Needs no padding: all sizes are multiples of the alignment.
		offset += 4 * sizeOf(sizes);
		return [text(`${name}.weight`), u32(sizes.length), ...sizes.map(u64), u32(0), u64(at)];
	});
	const start = Buffer.concat([...head, ...values, ...tokens, ...infos]);
	const padding = Buffer.alloc((32 - (start.length % 32)) % 32);
	const weights = tensors.flatMap(([, sizes, fill]) => times(sizeOf(sizes), (at) => f32(fill(at))));
	return Buffer.concat([start, padding, ...weights]);
}

const sizeOf = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size);

function written(value: Value): Buffer[] {
	if (typeof value === "string") return [u32(8), text(value)];
	if (typeof value === "number") return [u32(4), u32(value)];
	return "float" in value
		? [u32(6), f32(value.float)]
		: [u32(9), u32(8), u64(value.length), ...value.map(text)];
}

const bytes = (size: number, write: (part: Buffer) => void) => {
	const part = Buffer.alloc(size);
	write(part);
	return part;
};
const u32 = (value: number) => bytes(4, (part) => part.writeUInt32LE(value));
const u64 = (value: number) => bytes(8, (part) => part.writeBigUInt64LE(BigInt(value)));
const f32 = (value: number) => bytes(4, (part) => part.writeFloatLE(value));
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
