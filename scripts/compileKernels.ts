import { readFile } from "node:fs/promises";
import { join } from "node:path";
import asc from "assemblyscript/asc";
import { root } from "./paths.ts";

const SOURCE = "src/base/kernels/assembly/kernels.ts";
const OPTIONS = ["-O3", "--noAssert", "--runtime", "stub", "--importMemory", "--enable", "simd"];

/** Returns a module that contains the kernels' WebAssembly. Rejects with the compiler's message. */
export async function compileKernels(): Promise<string> {
	let binary: Uint8Array = new Uint8Array();
	const { error, stderr } = await asc.main([SOURCE, ...OPTIONS, "--outFile", "kernels.wasm"], {
		readFile: (name) => readFile(join(root, name), "utf8").catch(() => null),
		writeFile: (_, contents) => {
			binary = Buffer.from(contents);
		},
		listFiles: () => [],
	});
	if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
	const text = Buffer.from(binary).toString("base64");
	return `/** \`assembly/kernels.ts\`, as \`npm run kernels\` compiles it: WebAssembly in base64. */\nexport const COMPILED =\n\t"${text}";\n`;
}
