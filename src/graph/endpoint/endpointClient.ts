import { Failure } from "../../base/failure.ts";
import { networkReasonOf } from "../../base/http/endpointWords.ts";
import { decodedPart } from "../../base/rdf/vocabulary.ts";
import { fieldOf, isRecord, parseJson } from "../../base/values.ts";
import { type Quad, quadFromRdfjs, type Term } from "../../core/knowledge/rdf.ts";
import { readResultTerm } from "../sparql/resultTerm.ts";

/** Sends queries and updates that the caller has checked. */
export type EndpointClient = ReturnType<typeof createEndpointClient>;

/** Values of the `Accept` header. */
const RESULTS = "application/sparql-results+json, application/json;q=0.9";
const STATEMENTS = "application/n-triples";

/** `timeLimitMs` applies to one exchange, from the request to the last byte read. */
export function createEndpointClient(address: EndpointAddress, timeLimitMs: number) {
	const exchange = createExchange(address, timeLimitMs);
	const unreadable = (what: string) => {
		const message = `${address.name} sent an answer that is not valid ${what}. Try another query, or check the endpoint.`;
		return new Failure("ENDPOINT_FAILED", message);
	};
	const reading =
		<Result>(parse: (answer: unknown) => Result | undefined) =>
		async (query: string, signal: AbortSignal): Promise<Result> => {
			const pieces = await exchange(query, { accept: RESULTS, signal }, (all) => Array.fromAsync(all));
			const result = parse(parseJson(pieces.join("")));
			if (result === undefined) throw unreadable("SPARQL JSON");
			return result;
		};
	return {
		update: (update: string, signal: AbortSignal) => exchange(update, { signal }, async () => undefined),
		select: reading(toRows),
		ask: reading(toBoolean),
		/** Sends a CONSTRUCT or DESCRIBE query. Reads at most `limit` distinct statements. */
		construct: async (query: string, limit: number, signal: AbortSignal) => {
			const read = (pieces: AsyncIterable<string>) => readLines(pieces, limit + 1);
			const lines = await exchange(query, { accept: STATEMENTS, signal }, read);
			const quads = await parseStatements(lines.slice(0, limit)).catch(() => {
				throw unreadable("N-Triples");
			});
			return { quads, truncated: lines.length > limit };
		},
	};
}

/** Returns the first `limit` distinct statements, because endpoints may repeat a statement. */
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

/** Reads the SPARQL 1.1 Query Results JSON of a SELECT; `undefined` if invalid. Rows omit unbound variables. */
function toRows(answer: unknown) {
	const variables = fieldOf(fieldOf(answer, "head"), "vars");
	const bindings = fieldOf(fieldOf(answer, "results"), "bindings");
	if (!Array.isArray(variables) || !Array.isArray(bindings)) return undefined;
	const rows = bindings.map(toRow).filter((row) => row !== undefined);
	return rows.length === bindings.length ? { variables: variables.map(String), rows } : undefined;
}

function toBoolean(answer: unknown): boolean | undefined {
	const value = fieldOf(answer, "boolean");
	return typeof value === "boolean" ? value : undefined;
}

function toRow(binding: unknown): Record<string, Term> | undefined {
	if (!isRecord(binding)) return undefined;
	const terms = Object.entries(binding).map(([name, value]) => [name, readResultTerm(value)] as const);
	const known = terms.flatMap(([name, term]) => (term ? [[name, term] as const] : []));
	return known.length === terms.length ? Object.fromEntries(known) : undefined;
}

/** Constructed statements have no lines in a file. */
const NO_LINES = { start: 0, end: 0 };

function isStatement(line: string): boolean {
	return /^\s*[^\s#]/.test(line);
}

/** Throws for lines that are not N-Triples and for terms of RDF 1.2. */
async function parseStatements(lines: readonly string[]): Promise<Quad[]> {
	const { Parser } = await import("n3");
	const parsed = new Parser({ format: "N-Triples", blankNodePrefix: "" }).parse(lines.join("\n"));
	return parsed.map((stated) => {
		const quad = quadFromRdfjs(stated, NO_LINES);
		if (!quad) throw new TypeError(stated.object.termType);
		return quad;
	});
}

const UPDATE = "application/sparql-update";
const MAX_BYTES = 16 * 1024 * 1024;
/** Maximum number of characters quoted from the endpoint's message. */
const MAX_REASON = 300;

/** Sends a query, or an update if `accept` is missing (SPARQL 1.1 Protocol, POST). Rejects with a `Failure`. */
function createExchange(address: EndpointAddress, timeLimitMs: number) {
	return async <Result>(
		text: string,
		{ accept, signal }: { readonly accept?: string; readonly signal: AbortSignal },
		read: (pieces: AsyncIterable<string>) => Promise<Result>,
	): Promise<Result> => {
		signal.throwIfAborted();
		const timeLimit = AbortSignal.timeout(timeLimitMs);
		const end = new AbortController();
		/** Explains errors of the network. Our own errors do not pass through this function. */
		const explain = (thrown: unknown): never => {
			signal.throwIfAborted();
			throw timeLimit.aborted ? tooSlow(address, timeLimitMs, accept) : unreachable(address, thrown);
		};
		try {
			const response = await fetch(address.url, {
				method: "POST",
				headers: { ...address.headers, ...(accept ? { accept } : { "content-type": UPDATE }) },
				body: accept ? new URLSearchParams({ query: text }) : text,
				redirect: "manual",
				signal: AbortSignal.any([signal, timeLimit, end.signal]),
			}).catch(explain);
			const pieces = piecesOf(response, address.name, explain);
			const refusal = await refusalOf(response, pieces, { address, accept });
			if (refusal) throw refusal;
			return await read(pieces);
		} finally {
			end.abort();
		}
	};
}

async function* piecesOf(response: Response, name: string, explain: (thrown: unknown) => never) {
	const reader = response.body?.getReader();
	if (!reader) return;
	const decoder = new TextDecoder();
	let bytes = 0;
	for (;;) {
		const { done, value } = await reader.read().catch(explain);
		if (done) break;
		bytes += value.byteLength;
		const tooLarge = `The answer from ${name} is larger than ${MAX_BYTES / 1024 / 1024} MB and is not read. Ask for less: fewer variables, or a smaller LIMIT.`;
		if (bytes > MAX_BYTES) throw new Failure("ENDPOINT_FAILED", tooLarge);
		yield decoder.decode(value, { stream: true });
	}
	yield decoder.decode();
}

async function refusalOf(
	response: Response,
	pieces: AsyncIterable<string>,
	{ address, accept }: { readonly address: EndpointAddress; readonly accept: string | undefined },
): Promise<Failure | undefined> {
	const { status, ok } = response;
	const { name, setting } = address;
	const fail = (words: string) => new Failure("ENDPOINT_FAILED", words);
	const advice = `Check that the setting ${setting} is the address of a SPARQL endpoint.`;
	const reason = () => readReason(response, pieces);
	if (status >= 500 || [408, 429].includes(status))
		return fail(`${name} answered ${status}${await reason()}. Ask for less, or check the endpoint.`);
	if (status === 400)
		return new Failure(
			"BAD_INPUT",
			`${name} refused the request${await reason()}. Correct it and try again.`,
		);
	if (status === 401 || status === 403)
		return fail(`${name} denied access (${status}). Check the account in the setting ${setting}.`);
	if (!ok) return redirection(response, address) ?? fail(`${name} answered ${status}. ${advice}`);
	const given = mediaTypeOf(response);
	if (!accept || accept.split(/[;,] ?/).includes(given)) return undefined;
	return fail(`${name} answered with ${given || "no content type"} instead of ${accept}. ${advice}`);
}

function redirection({ status, headers }: Response, { url, name, setting }: EndpointAddress) {
	if (status < 300 || status >= 400) return undefined;
	const target = URL.parse(headers.get("location") ?? "", url);
	const redirects = `${name} redirects to ${target ? nameOf(target) : "another address"}, and redirects are not followed. If that is the endpoint, enter it in the setting ${setting}.`;
	return new Failure("ENDPOINT_FAILED", redirects);
}

function mediaTypeOf({ headers }: Response): string {
	const [type = ""] = (headers.get("content-type") ?? "").split(";");
	return type.trim().toLowerCase();
}

/** Returns `: ` and the beginning of an error message in plain text or JSON; empty for other types, such as pages. */
async function readReason(response: Response, pieces: AsyncIterable<string>): Promise<string> {
	if (!["text/plain", "application/json"].includes(mediaTypeOf(response))) return "";
	let text = "";
	for await (const piece of pieces) {
		text += piece;
		if (text.length > MAX_REASON) break;
	}
	const words = text.slice(0, MAX_REASON).replace(/\s+/g, " ").trim().replace(/\.$/, "");
	return words && `: ${words}`;
}

function tooSlow({ name }: EndpointAddress, timeLimitMs: number, accept?: string): Failure {
	const update = `${name} took longer than ${timeLimitMs / 1000} s for an update. Check the endpoint, and publish again to continue.`;
	const query = `The query to ${name} was stopped after its time limit of ${timeLimitMs} ms. Make it more selective, for example by naming a class.`;
	return accept ? new Failure("BAD_INPUT", query) : new Failure("ENDPOINT_FAILED", update);
}

function unreachable({ name, setting }: EndpointAddress, cause: unknown): Failure {
	const message = `${name} cannot be reached (${networkReasonOf(cause)}). Start the endpoint, or correct the setting ${setting}.`;
	return new Failure("ENDPOINT_FAILED", message, { cause });
}

interface EndpointAddress {
	/** URL of the endpoint, without the account. */
	readonly url: string;
	/** Name of the endpoint for messages, without the account and the query string, which may contain keys. */
	readonly name: string;
	readonly host: string;
	readonly setting: string;
	readonly headers: Readonly<Record<string, string>>;
}

export function readEndpointAddress(text: string, setting = "copilot-LD.graph.endpoint"): EndpointAddress {
	const url = URL.parse(text.trim());
	const invalid = `The setting ${setting} is not an http or https address. Correct it, or clear it.`;
	if (!url || !/^https?:$/.test(url.protocol)) throw new Failure("BAD_INPUT", invalid);
	const { username, password } = url;
	url.username = "";
	url.password = "";
	url.hash = "";
	const account = `${decodedPart(username)}:${decodedPart(password)}`;
	return {
		url: url.href,
		name: nameOf(url),
		host: url.host,
		setting,
		headers: account === ":" ? {} : { authorization: `Basic ${Buffer.from(account).toString("base64")}` },
	};
}

function nameOf({ origin, pathname }: URL): string {
	return origin + pathname;
}
