import { Failure, messageOf } from "../../base/failure.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import type { Graph } from "../facts/graph.ts";
import { createSparqlEngine } from "./sparqlEngine.ts";
import type { SparqlLink } from "./sparqlLink.ts";
import type { Dataset, QueryMessage, SparqlAnswer, SparqlResult } from "./sparqlMessages.ts";
import { readSparqlRequest } from "./sparqlRequest.ts";

export interface SparqlOptions {
	/** For the query alone, without the time that loading the graph takes. */
	readonly timeLimitMs?: number;
	/** Rows or quads that come back at most. */
	readonly rowLimit?: number;
	/** All that the query may see, whatever its `FROM` says; all documents where it is absent. */
	readonly dataset?: Dataset;
}

/** SPARQL 1.1 queries of the graph as it is when they are asked. */
export interface Sparql {
	/** Rejects with a `Failure` for a query that is wrong, does not only read, or takes too long. */
	query(text: string, options: SparqlOptions, signal: AbortSignal): Promise<SparqlResult>;
	/** Starts the thread and loads the graph, so that the next query need not wait for that. */
	load(signal: AbortSignal): Promise<void>;
	/** Ends the thread; the next query starts another. */
	close(): Promise<void>;
}

const TIME_LIMIT_MS = 10_000;
const ROW_LIMIT = 1000;

/**
 * `threadUrl` is the program of `sparqlThread.ts`. Its thread starts and loads the graph with the first query, takes
 * one query after the other, and is thrown away when a query hangs, breaks it or is cancelled.
 */
export function createSparql({ graph, threadUrl }: { graph: Graph; threadUrl: URL | string }): Sparql {
	const engine = createSparqlEngine(graph, threadUrl);
	const queries = createMutex();

	/** Whatever rejects here leaves a thread that is dead, at work or out of step. */
	const ask = async (question: QueryMessage, timeLimitMs: number, signal: AbortSignal) => {
		try {
			return await askInTime(await engine.open(signal), question, { timeLimitMs, signal });
		} catch (thrown) {
			await engine.close();
			throw thrown instanceof Failure || signal.aborted ? thrown : toBreakage(thrown);
		}
	};
	const run = async (question: QueryMessage, timeLimitMs: number, signal: AbortSignal) => {
		signal.throwIfAborted();
		const answer = await ask(question, timeLimitMs, signal);
		if (answer.kind === "answer") return answer.result;
		throw new Failure("BAD_INPUT", `The query was refused: ${reasonOf(answer)}. Correct it, and ask again.`);
	};
	return {
		query: async (text, { timeLimitMs = TIME_LIMIT_MS, rowLimit = ROW_LIMIT, dataset }, signal) => {
			const request = readSparqlRequest(text);
			const question = { kind: "query", request, rowLimit, ...(dataset && { dataset }) } as const;
			return await queries.run(() => run(question, timeLimitMs, signal));
		},
		load: async (signal) => {
			await queries.run(async () => {
				try {
					await engine.open(signal);
				} catch (thrown) {
					await engine.close();
					throw thrown;
				}
			});
		},
		close: engine.close,
	};
}

/** Oxigraph lists every character that it would have taken: the place says more. */
function reasonOf(answer: SparqlAnswer): string {
	if (answer.kind !== "refused") return "no answer";
	return answer.reason.includes("['") ? answer.reason.replace(/: expected[\s\S]*/, "") : answer.reason;
}

async function askInTime(
	link: SparqlLink,
	question: QueryMessage,
	{ timeLimitMs, signal }: { readonly timeLimitMs: number; readonly signal: AbortSignal },
): Promise<SparqlAnswer> {
	const limit = AbortSignal.timeout(timeLimitMs);
	try {
		return await link.ask(question, AbortSignal.any([signal, limit]));
	} catch (thrown) {
		if (signal.aborted || !limit.aborted) throw thrown;
		throw new Failure(
			"BAD_INPUT",
			`The query was stopped after its time limit of ${timeLimitMs} ms. Make it more selective, for example by naming a class.`,
			{ cause: thrown },
		);
	}
}

function toBreakage(thrown: unknown): Failure {
	return new Failure(
		"BAD_INPUT",
		`The query engine crashed and was restarted (${messageOf(thrown)}). Simplify the query, and ask again.`,
		{ cause: thrown },
	);
}
