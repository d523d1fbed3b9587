import { Failure } from "../../base/failure.ts";
import { keyHeaders } from "../../base/http/endpointWords.ts";

export interface EmbeddingAddress {
	/** For requests: ends in `/embeddings`, with the query string that was given. */
	readonly url: string;
	/** For people: without the query string, which may hold keys. */
	readonly name: string;
	/** What a key belongs to: scheme, host and port. */
	readonly origin: string;
	/** How the key is sent. */
	readonly headersOf: (key: string) => Readonly<Record<string, string>>;
}

/** What people have to change for another address. */
export const ENDPOINT_SETTING = "copilot-ld.embedding.endpoint";

/** The setting may name the endpoint itself, or the base address that the servers' manuals give (`…/v1`). */
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
