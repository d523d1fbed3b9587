import { Failure } from "../../base/failure.ts";
import type { Quad } from "../../core/knowledge/rdf.ts";
import { createExchange, type EndpointPorts, type MediaType } from "./endpointExchange.ts";
import { parseBoolean, parseRows, type SolutionTable } from "./endpointRows.ts";
import { isStatement, parseStatement } from "./endpointStatements.ts";

/** The forms of a query, each with its answer, and updates. Sends what it is given: the caller has checked it. */
export interface EndpointClient {
	update(update: string, signal: AbortSignal): Promise<void>;
	select(query: string, signal: AbortSignal): Promise<SolutionTable>;
	ask(query: string, signal: AbortSignal): Promise<boolean>;
	/** CONSTRUCT and DESCRIBE. No more than `limit` different statements are read. */
	construct(query: string, limit: number, signal: AbortSignal): Promise<StatementList>;
}

interface StatementList {
	readonly quads: readonly Quad[];
	readonly truncated: boolean;
}

const RESULTS: MediaType = {
	accept: "application/sparql-results+json, application/json;q=0.9",
	taken: ["application/sparql-results+json", "application/json"],
};
const STATEMENTS: MediaType = { accept: "application/n-triples", taken: ["application/n-triples"] };

export function createEndpointClient(ports: EndpointPorts): EndpointClient {
	const exchange = createExchange(ports);
	const unreadable = (what: string) =>
		new Failure(
			"ENDPOINT_FAILED",
			`${ports.address.name} sent an answer that is not valid ${what}. Try another query, or check the endpoint.`,
		);
	return {
		update: (update, signal) => exchange(update, { signal }, async () => undefined),
		select: async (query, signal) => {
			const table = parseRows(await exchange(query, { type: RESULTS, signal }, joinPieces));
			if (!table) throw unreadable("SPARQL JSON");
			return table;
		},
		ask: async (query, signal) => {
			const value = parseBoolean(await exchange(query, { type: RESULTS, signal }, joinPieces));
			if (value === undefined) throw unreadable("SPARQL JSON");
			return value;
		},
		construct: async (query, limit, signal) => {
			const lines = await exchange(query, { type: STATEMENTS, signal }, (pieces) =>
				readLines(pieces, limit + 1),
			);
			const quads = lines
				.slice(0, limit)
				.map(parseStatement)
				.filter((quad) => quad !== undefined);
			if (quads.length < Math.min(lines.length, limit)) throw unreadable("N-Triples");
			return { quads, truncated: lines.length > limit };
		},
	};
}

async function joinPieces(pieces: AsyncIterable<string>): Promise<string> {
	const all: string[] = [];
	for await (const piece of pieces) all.push(piece);
	return all.join("");
}

/** The first different statements, up to `limit`. Endpoints may say one twice. */
async function readLines(pieces: AsyncIterable<string>, limit: number): Promise<string[]> {
	const lines = new Set<string>();
	let unfinished: string[] = [];
	for await (const piece of pieces) {
		const [first = "", ...others] = piece.split("\n");
		unfinished.push(first);
		const last = others.pop();
		if (last === undefined) continue;
		for (const line of [unfinished.join(""), ...others].filter(isStatement)) lines.add(line);
		unfinished = [last];
		if (lines.size >= limit) break;
	}
	const rest = unfinished.join("");
	if (isStatement(rest)) lines.add(rest);
	return [...lines].slice(0, limit);
}
