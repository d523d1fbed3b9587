import { createHash } from "node:crypto";
import type { EndpointClient } from "../endpoint/endpointClient.ts";
import { NAMESPACE } from "./portableNames.ts";

/** The graph that says which others are ours, and what is in them; and its one property. */
const LEDGER = `<${NAMESPACE}published>`;
const DIGEST = `<${NAMESPACE}digest>`;

const ROWS = 10_000;

/** A named graph as it is to be. */
export interface GraphContent {
	readonly name: string;
	/** Lines of N-Triples, each once. */
	readonly lines: readonly string[];
}

/** By the name of a graph, the digest of what was written into it; only those whose names begin with a prefix. */
export async function readDigests(
	client: Pick<EndpointClient, "select">,
	prefix: string,
	signal: AbortSignal,
): Promise<Map<string, string>> {
	const digests = new Map<string, string>();
	const pattern = `GRAPH ${LEDGER} { ?graph ${DIGEST} ?digest } FILTER(STRSTARTS(STR(?graph), ${JSON.stringify(prefix)}))`;
	for (let offset = 0; ; offset += ROWS) {
		const query = `SELECT ?graph ?digest { ${pattern} } ORDER BY ?graph ?digest LIMIT ${ROWS} OFFSET ${offset}`;
		const { rows } = await client.select(query, signal);
		for (const { graph, digest } of rows) if (graph && digest) digests.set(graph.value, digest.value);
		if (rows.length < ROWS) return digests;
	}
}

/** Of the lines in any order. */
export function digestOf({ lines }: GraphContent): string {
	return createHash("sha256").update(lines.toSorted().join("\n")).digest("hex");
}

/**
 * SPARQL Update that makes the graph hold just this. A store that dies in between does not know its digest, so that it
 * is written again.
 */
export function writeGraph(content: GraphContent): string {
	const graph = `<${content.name}>`;
	return [
		removeGraph(content.name),
		`INSERT DATA { GRAPH ${graph} {\n${content.lines.map(asSparql).join("\n")}\n} }`,
		`INSERT DATA { GRAPH ${LEDGER} { ${graph} ${DIGEST} "${digestOf(content)}" } }`,
	].join(" ;\n");
}

/** SPARQL resolves `\u0041` before it reads a string, and some do so behind an escaped backslash, too. */
function asSparql(line: string): string {
	return line.replace(/\\\\[uU]/g, (found) => `\\\\${found.endsWith("u") ? "\\u0075" : "\\u0055"}`);
}

export function removeGraph(name: string): string {
	return `DELETE WHERE { GRAPH ${LEDGER} { <${name}> ${DIGEST} ?digest } } ;\nDROP SILENT GRAPH <${name}>`;
}
