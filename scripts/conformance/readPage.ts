import { readFileSync } from "node:fs";
import { readHtml } from "../../src/knowledge/html/readHtml.ts";
import { decodeText } from "../../src/knowledge/passages/decodeText.ts";
import type { SuiteFile } from "./manifest.ts";
import { errorsIn, type Parsed } from "./parseFile.ts";

/** Reads a page as the indexer does, including statements about markup that the index omits. */
export async function readPage({ path, uri }: SuiteFile): Promise<Parsed> {
	const { quads, problems } = await readHtml({ uri, text: decodeText(readFileSync(path)) ?? "" });
	return { quads, errors: errorsIn(problems) };
}
