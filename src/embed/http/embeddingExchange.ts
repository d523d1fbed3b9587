import { Failure } from "../../base/failure.ts";
import { networkReasonOf, wordsOf } from "../../base/http/endpointWords.ts";
import type { Failed } from "../../base/http/persistent.ts";
import { retryAfterOf } from "../../base/http/retryAfter.ts";
import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";
import { type EmbeddingAddress, ENDPOINT_SETTING } from "./embeddingAddress.ts";
import { readLimited } from "./readLimited.ts";

export interface EmbeddingRequest {
	readonly model: string;
	readonly input: readonly string[];
	/** The length of the vectors, for models that offer several. */
	readonly dimensions?: number;
}

/** What came of one request. */
export type Outcome =
	| { readonly kind: "answered"; readonly json: string }
	| Failed
	/** The endpoint does not take these texts; fewer or shorter ones it may. */
	| { readonly kind: "refused"; readonly failure: Failure };

export interface ExchangePorts {
	readonly address: EmbeddingAddress;
	/** Asked anew for each request: a key may come or change at any time. */
	readonly key: () => Promise<string | undefined>;
	/** For one request, to the last byte of the answer. */
	readonly timeLimitMs: number;
}

/** Sends one request; rejects only with the signal's reason. The key goes nowhere but into the request's header. */
export async function exchange(
	request: EmbeddingRequest,
	{ address, key, timeLimitMs }: ExchangePorts,
	signal: AbortSignal,
): Promise<Outcome> {
	const secret = await key();
	signal.throwIfAborted();
	const timeLimit = AbortSignal.timeout(timeLimitMs);
	try {
		const response = await fetch(address.url, {
			method: "POST",
			headers: { "content-type": "application/json", ...(secret && address.headersOf(secret)) },
			body: JSON.stringify({ ...request, encoding_format: "float" }),
			redirect: "manual",
			signal: AbortSignal.any([signal, timeLimit]),
		});
		const json = await readLimited(response);
		return response.ok
			? { kind: "answered", json }
			: outcomeOf(response, { words: wordsOf(json, secret), request, address });
	} catch (thrown) {
		signal.throwIfAborted();
		return {
			kind: "failed",
			mayRetry: true,
			failure: unreachable(address, thrown, timeLimit.aborted && timeLimitMs),
		};
	}
}

interface Refusal {
	/** The endpoint's own words, with a colon in front; empty where there are none. */
	readonly words: string;
	readonly request: EmbeddingRequest;
	readonly address: EmbeddingAddress;
}

function outcomeOf(response: Response, refusal: Refusal): Outcome {
	const { status } = response;
	const failure = new Failure("ENDPOINT_FAILED", messageFor(status, refusal));
	if (status === 400 || status === 413 || status === 422) return { kind: "refused", failure };
	const mayRetry = status === 408 || status === 429 || status >= 500;
	const waitMs = retryAfterOf(response);
	return { kind: "failed", mayRetry, failure, ...(waitMs !== undefined && { waitMs }) };
}

function messageFor(status: number, { words, request, address: { name } }: Refusal): string {
	if (status === 401 || status === 403)
		return `${name} denied access (${status}${words}). Run "Copilot-LD: Set Embedding API Key"; for a program outside of the editor, set the variable ${SECRET_VARIABLES.embedding}.`;
	if (status === 404)
		return `${name} does not know the model "${request.model}", or is not an embeddings endpoint (404${words}). Check the settings copilot-ld.embedding.model and ${ENDPOINT_SETTING}.`;
	if (status === 429) return `${name} accepts no more requests for now (429${words}).`;
	if (status >= 300 && status < 400)
		return `${name} redirects to another address, and redirects are not followed. If that is the endpoint, enter it in the setting ${ENDPOINT_SETTING}.`;
	if (status >= 500) return `${name} answered ${status}${words}. Check the endpoint.`;
	return `${name} refused the texts (${status}${words}). Check the settings copilot-ld.embedding.*.`;
}

function unreachable({ name }: EmbeddingAddress, thrown: unknown, timeLimitMs: number | false): Failure {
	const reason = timeLimitMs ? `no answer within ${timeLimitMs / 1000} s` : networkReasonOf(thrown);
	return new Failure(
		"ENDPOINT_FAILED",
		`${name} cannot be reached (${reason}). Start the endpoint, or correct the setting ${ENDPOINT_SETTING}.`,
		{ cause: thrown },
	);
}
