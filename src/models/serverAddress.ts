import { Failure } from "../base/failure.ts";

export interface ServerAddress {
	/** Base URL of all requests, without a trailing slash: usually `…/v1`. */
	readonly base: string;
	/** Scheme, host and port, to which a key belongs. */
	readonly origin: string;
}

const ENTER_ADDRESS =
	"Enter an http or https address without an account in it, as the manual of the server gives it, for example http://localhost:11434/v1.";

/** Returns possible base URLs, likeliest first, because manuals give addresses with and without `/v1`. */
export function readServerAddress(text: string): [ServerAddress, ...ServerAddress[]] {
	const trimmed = text.trim();
	const url = URL.parse(trimmed.includes("://") ? trimmed : `http://${trimmed}`);
	if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
		throw new Failure("BAD_INPUT", ENTER_ADDRESS);
	const { origin } = url;
	const path = url.pathname.replace(/\/+$/, "").replace(/\/(chat\/completions|models)$/, "");
	const at = (base: string): ServerAddress => ({ base: origin + base, origin });
	if (path === "") return [at("/v1")];
	return /\/v\d+\w*$/.test(path) ? [at(path)] : [at(path), at(`${path}/v1`)];
}

/** Whether others on the network can read requests: plain HTTP to another computer. */
export function isReadByOthers({ origin }: ServerAddress): boolean {
	const { protocol, hostname } = new URL(origin);
	return protocol === "http:" && !/^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname);
}

export function placeOf(address: string): { provider: string; address: string; port: number } {
	const [{ origin }] = readServerAddress(address);
	const { hostname, port, protocol } = new URL(origin);
	const usual = protocol === "http:" ? 80 : 443;
	return { provider: "openai-compatible", address: hostname, port: Number(port) || usual };
}
