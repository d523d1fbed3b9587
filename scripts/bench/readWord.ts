import { readFile } from "node:fs/promises";
import { parseDocument } from "../../src/knowledge/formats.ts";
import { reportToParent } from "./program.ts";
import { timed } from "./timing.ts";

/** Time of one parser to read a Word document repeatedly, after warming up. */
export interface WordReading {
	readonly ms: number;
}

const WARM_UP = 5;

async function readWord(file: string, copies: number): Promise<WordReading> {
	const bytes = await readFile(file);
	const read = async (times: number) => {
		for (let at = 0; at < times; at++) {
			const outcome = await parseDocument("file:///a.docx", bytes);
			if ("skipped" in outcome) throw new Error(`${file} was not read.`);
		}
	};
	await read(WARM_UP);
	const { ms } = await timed(() => read(copies));
	return { ms };
}

const [file = "", copies = ""] = process.argv.slice(2);
await reportToParent(readWord(file, Number(copies)));
