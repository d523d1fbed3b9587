import { Failure } from "../../base/failure.ts";

export interface EndpointAddress {
	/** For requests; without the account. */
	readonly url: string;
	/** For people: without the account and the query string, which may hold keys. */
	readonly name: string;
	readonly host: string;
	/** What people have to change for another address. */
	readonly setting: string;
	/** What the account of the address asks to be sent along. */
	readonly headers: Readonly<Record<string, string>>;
}

const ENDPOINT_SETTING = "copilot-LD.graph.endpoint";

export function readEndpointAddress(text: string, setting = ENDPOINT_SETTING): EndpointAddress {
	const url = URL.parse(text.trim());
	if (!url || !/^https?:$/.test(url.protocol))
		throw new Failure(
			"BAD_INPUT",
			`The setting ${setting} is not an http or https address. Correct it, or clear it.`,
		);
	const { username, password } = url;
	url.username = "";
	url.password = "";
	url.hash = "";
	const account = `${decodeAccount(username)}:${decodeAccount(password)}`;
	return {
		url: url.href,
		name: nameOf(url),
		host: url.host,
		setting,
		headers: account === ":" ? {} : { authorization: `Basic ${encodeBase64(account)}` },
	};
}

/** An address as messages may show it. */
export function nameOf({ origin, pathname }: URL): string {
	return origin + pathname;
}

/** A percent sign may be meant as itself. */
function decodeAccount(text: string): string {
	return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) =>
		new TextDecoder().decode(Uint8Array.from(bytes.slice(1).split("%"), (byte) => Number.parseInt(byte, 16))),
	);
}

/** Encodes as UTF-8, as RFC 7617 prefers. */
function encodeBase64(text: string): string {
	return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
