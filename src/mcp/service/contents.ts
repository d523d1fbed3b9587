import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastSegment } from "../../base/rdf/vocabulary.ts";
import { numeral } from "../../base/text/plural.ts";
import type { Ports } from "../../protocol/ports.ts";

const FILE = "contents.txt";
const KINDS = 6;
/** Names of classes are data of the folder: only plain ones are repeated among instructions. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}$/u;
const COUNTED = `SELECT ?kind (COUNT(DISTINCT ?thing) AS ?count) WHERE { ?thing a ?kind } GROUP BY ?kind ORDER BY DESC(?count) LIMIT ${KINDS}`;

/** What was in the index when it was last brought in step, in sentences; empty if that is not known. */
export function readContents(dataFolder: string): string {
	try {
		return readFileSync(join(dataFolder, FILE), "utf8");
	} catch {
		return "";
	}
}

/** Keeps this for the next start, which tells the client before the first question. */
export async function keepContents(
	dataFolder: string,
	{ knowledge, graph, catalog }: Ports,
	signal: AbortSignal,
): Promise<void> {
	const [{ documents, failed, skipped }, { answer }, policies] = await Promise.all([
		knowledge.status(signal),
		graph.query({ sparql: COUNTED, door: "mcp" }, signal),
		catalog.policies(signal),
	]);
	const rows = answer.kind === "rows" ? answer.rows : [];
	const kinds = rows.flatMap(({ kind, count }) => {
		const name = lastSegment(kind?.value ?? "");
		return PLAIN.test(name) ? [`${name} (${numeral(Number(count?.value))})`] : [];
	});
	const gaps = failed.length + Object.values(skipped).reduce((sum, count) => sum + count, 0);
	const told = [
		// Under a policy, a number of files would count what it hides.
		...(policies.length > 0
			? []
			: [`Documents indexed: ${numeral(documents)}; files not indexed: ${numeral(gaps)}.`]),
		...(kinds.length > 0 ? [`Kinds of things: ${kinds.join(", ")}.`] : []),
	];
	writeFileSync(join(dataFolder, FILE), told.join(" "));
}
