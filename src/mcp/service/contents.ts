import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastSegment } from "../../base/rdf/vocabulary.ts";
import { numeral, plural } from "../../base/text/plural.ts";
import type { Ports } from "../../protocol/ports.ts";

const FILE = "contents.txt";
const KINDS = 6;
/** Class names are untrusted data of the folder, so only plain ones may appear in the instructions. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}$/u;
const COUNTED = `SELECT ?kind (COUNT(DISTINCT ?thing) AS ?count) WHERE { ?thing a ?kind } GROUP BY ?kind ORDER BY DESC(?count) LIMIT ${KINDS}`;

/** Describes the folders and, if known, the contents of the index after the last indexing. */
export function readContents(dataFolder: string, folders: readonly string[]): string {
	const named = folders.filter((name) => PLAIN.test(name));
	const folder = named.length > 0 ? `Folders: ${named.join(", ")}. ` : "";
	try {
		return folder + readFileSync(join(dataFolder, FILE), "utf8");
	} catch {
		return folder;
	}
}

/** Saves the description for the next start, because clients read it before the first question. */
export async function keepContents(dataFolder: string, { things, graph }: Ports, signal: AbortSignal) {
	const [{ indexed, unindexed }, { answer }] = await Promise.all([
		things.documents({ words: "", limit: 0, channel: "mcp" }, signal),
		graph.query({ sparql: COUNTED, channel: "mcp" }, signal),
	]);
	const rows = answer.kind === "rows" ? answer.rows : [];
	const kinds = rows.flatMap(({ kind, count }) => {
		const name = lastSegment(kind?.value ?? "");
		return PLAIN.test(name) ? [`${numeral(Number(count?.value))} ${name}`] : [];
	});
	const files = `${plural(indexed, "document")}, ${plural(unindexed, "file")} not indexed.`;
	const lines = [files, ...(kinds.length > 0 ? [`Things: ${kinds.join(", ")}.`] : [])];
	writeFileSync(join(dataFolder, FILE), lines.join(" "));
}
