import { Failure } from "../../base/failure.ts";
import { fieldOf, isRecord, parseJson } from "../../base/values.ts";
import { type Quad, quadFromRdfjs, type Term } from "../../core/knowledge/rdf.ts";
import { readResultTerm } from "../sparql/resultTerm.ts";
import { createExchange, type EndpointPorts, type MediaType } from "./endpointExchange.ts";

/** Sends what it is given: the caller has checked it. */
export type EndpointClient = ReturnType<typeof createEndpointClient>;

const RESULTS: MediaType = {
	accept: "application/sparql-results+json, application/json;q=0.9",
	taken: ["application/sparql-results+json", "application/json"],
};

const STATEMENTS: MediaType = { accept: "application/n-triples", taken: ["application/n-triples"] };

export function createEndpointClient(ports: EndpointPorts) {
	const exchange = createExchange(ports);
	const unreadable = (what: string) =>
		new Failure(
			"ENDPOINT_FAILED",
			`${ports.address.name} sent an answer that is not valid ${what}. Try another query, or check the endpoint.`,
		);
	const read = async <Result>(
		query: string,
		signal: AbortSignal,
		parse: (json: string) => Result | undefined,
	): Promise<Result> => {
		const pieces = await exchange(query, { type: RESULTS, signal }, (all) => Array.fromAsync(all));
		const result = parse(pieces.join(""));
		if (result === undefined) throw unreadable("SPARQL JSON");
		return result;
	};
	return {
		update: (update: string, signal: AbortSignal) => exchange(update, { signal }, async () => undefined),
		select: (query: string, signal: AbortSignal) => read(query, signal, parseRows),
		ask: (query: string, signal: AbortSignal) => read(query, signal, parseBoolean),
		/** CONSTRUCT and DESCRIBE. No more than `limit` different statements are read. */
		construct: async (query: string, limit: number, signal: AbortSignal) => {
			const lines = await exchange(query, { type: STATEMENTS, signal }, (pieces) =>
				readLines(pieces, limit + 1),
			);
			const quads = await parseStatements(lines.slice(0, limit)).catch(() => {
				throw unreadable("N-Triples");
			});
			return { quads, truncated: lines.length > limit };
		},
	};
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

/** Reads SPARQL 1.1 Query Results JSON of a SELECT; `undefined` if it is invalid. A row lacks the variables that it does not bind. */
function parseRows(json: string) {
	const answer = parseJson(json);
	const variables = fieldOf(fieldOf(answer, "head"), "vars");
	const bindings = fieldOf(fieldOf(answer, "results"), "bindings");
	if (!isTextList(variables) || !Array.isArray(bindings)) return undefined;
	const rows = bindings.map(toRow).filter((row) => row !== undefined);
	return rows.length === bindings.length ? { variables, rows } : undefined;
}

function parseBoolean(json: string): boolean | undefined {
	const value = fieldOf(parseJson(json), "boolean");
	return typeof value === "boolean" ? value : undefined;
}

function isTextList(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function toRow(binding: unknown): Record<string, Term> | undefined {
	if (!isRecord(binding)) return undefined;
	const terms = Object.entries(binding).map(([name, value]) => [name, readResultTerm(value)] as const);
	const known = terms.flatMap(([name, term]) => (term ? [[name, term] as const] : []));
	return known.length === terms.length ? Object.fromEntries(known) : undefined;
}

/** A constructed statement is on no line of a file. */
const NO_LINES = { start: 0, end: 0 };

function isStatement(line: string): boolean {
	return /^\s*[^\s#]/.test(line);
}

/** Throws for lines that are not N-Triples, and for what RDF 1.2 adds to it. */
async function parseStatements(lines: readonly string[]): Promise<Quad[]> {
	const { Parser } = await import("n3");
	const parsed = new Parser({ format: "N-Triples", blankNodePrefix: "" }).parse(lines.join("\n"));
	return parsed.map((stated) => {
		const quad = quadFromRdfjs(stated, NO_LINES);
		if (!quad) throw new TypeError(stated.object.termType);
		return quad;
	});
}
