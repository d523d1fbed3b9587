import { Failure } from "../../base/failure.ts";
import { keyHeaders } from "../../base/http/endpointWords.ts";

export interface EmbeddingAddress {
	/** Ends in `/embeddings` and keeps the query string. */
	readonly url: string;
	/** For messages: without the query string, which may hold keys. */
	readonly name: string;
	readonly origin: string;
	readonly headersOf: (key: string) => Readonly<Record<string, string>>;
}

export const ENDPOINT_SETTING = "copilot-ld.embedding.options.endpoint";

/** The setting may be the endpoint itself or the base address from the servers' manuals (`…/v1`). */
export function readEmbeddingAddress(text: string): EmbeddingAddress {
	const url = URL.parse(text.trim());
	if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
		throw new Failure(
			"BAD_INPUT",
			`The setting ${ENDPOINT_SETTING} is not an http or https address without an account in it. Correct it, for example to http://localhost:11434/v1.`,
		);
	url.hash = "";
	const path = url.pathname.replace(/\/+$/, "");
	url.pathname = path.endsWith("/embeddings") ? path : `${path}/embeddings`;
	const { origin, pathname, hostname } = url;
	return {
		url: url.href,
		name: origin + pathname,
		origin,
		headersOf: (key) => keyHeaders(hostname, key),
	};
}
