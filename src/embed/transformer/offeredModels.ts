/** A published model that the user can choose to download. */
export interface OfferedModel {
	/** Name of the model and of its folder. */
	readonly name: string;
	readonly languages: "English" | "about 100 languages";
	readonly licence: string;
	readonly address: string;
	readonly files: readonly OfferedFile[];
	readonly form: {
		readonly pooling: "mean";
		readonly maxTokens: number;
		readonly queryPrefix?: string;
		readonly passagePrefix?: string;
	};
}

export interface OfferedFile {
	readonly path: string;
	/** SHA-256, hex. */
	readonly hash: string;
	/** Bytes. For small files, an upper limit. */
	readonly size: number;
}

const PUBLISHER = "https://huggingface.co/Xenova";

export const offeredModels: readonly OfferedModel[] = [
	{
		name: "all-MiniLM-L6-v2",
		languages: "English",
		licence: "Apache-2.0",
		address: `${PUBLISHER}/all-MiniLM-L6-v2/resolve/751bff37182d3f1213fa05d7196b954e230abad9/`,
		files: filesIn(`
			config.json 7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7 10000
			tokenizer_config.json 9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3 10000
			tokenizer.json da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0 1000000
			onnx/model_quantized.onnx afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1 22972370
		`),
		form: { pooling: "mean", maxTokens: 256 },
	},
	{
		name: "multilingual-e5-small",
		languages: "about 100 languages",
		licence: "MIT",
		address: `${PUBLISHER}/multilingual-e5-small/resolve/761b726dd34fb83930e26aab4e9ac3899aa1fa78/`,
		files: filesIn(`
			config.json cb99455288675345e1a4f411438d5d0adbba5fbd3a67ea4fb03c015433b996c1 10000
			tokenizer_config.json a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b 443
			tokenizer.json 0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39 17082730
			onnx/model_quantized.onnx f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193 118308185
		`),
		form: { pooling: "mean", maxTokens: 512, queryPrefix: "query: ", passagePrefix: "passage: " },
	},
];

function filesIn(table: string): OfferedFile[] {
	return table
		.trim()
		.split(/\n\s*/)
		.map((line) => {
			const [path = "", hash = "", size] = line.split(" ");
			return { path, hash, size: Number(size) };
		});
}
