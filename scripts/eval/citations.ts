import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { heightOf, MOST_LINES } from "../../src/core/knowledge/citation.ts";
import { parseDocument } from "../../src/knowledge/formats.ts";
import type { Bar } from "./bars.ts";
import { collectionNames, readCollection } from "./collection.ts";

/** Data besides the text collections: pages, graphs and office files. */
const FILES = ["office/files/*", "pages/**/*.*", "kg/*/*.{ttl,nt}"];

/** Reads all open data, and reports passages that cite more than 60 lines for a shorter text. */
export async function citationBars(data: string): Promise<Bar[]> {
	let [read, tall] = [0, 0];
	for (const { path, bytes } of filesIn(data)) {
		const outcome = await parseDocument(
			`file:///data/${path.split("/").map(encodeURIComponent).join("/")}`,
			bytes,
		);
		if (!("document" in outcome)) continue;
		for (const { lines, text } of outcome.document.passages) {
			read++;
			if (heightOf(lines) <= Math.max(MOST_LINES, text.split("\n").length)) continue;
			tall++;
			console.log(`▸ ${path}:${lines.start}-${lines.end} is cited for fewer lines of text`);
		}
	}
	const what = `passages that cite more than ${MOST_LINES} lines with a shorter text`;
	return [{ what, figures: `${tall} of ${read.toLocaleString("en")} (bar 0)`, holds: tall === 0 }];
}

function* filesIn(data: string): Generator<{ readonly path: string; readonly bytes: Buffer }> {
	const collections = join(data, "ir");
	for (const name of existsSync(collections) ? collectionNames(collections) : [])
		for (const { path, text } of readCollection(collections, name).files)
			yield { path: `${name}/${path}`, bytes: Buffer.from(text) };
	for (const pattern of FILES)
		for (const file of globSync(join(data, pattern)).filter((path) => statSync(path).isFile()))
			yield { path: relative(data, file), bytes: readFileSync(file) };
}
