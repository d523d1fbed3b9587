import { Failure } from "../base/failure.ts";

/** The address of a server that speaks OpenAI's protocol. */
export interface ServerAddress {
	/** The base of all requests, without a trailing slash: mostly `…/v1`. */
	readonly base: string;
	/** What a key belongs to: scheme, host and port. */
	readonly origin: string;
}

const ENTER_ADDRESS =
	"Enter an http or https address without an account in it, as the manual of the server gives it, for example http://localhost:11434/v1.";

/** Possible meanings of an address, the likeliest first; manuals give it with `/v1` and without. */
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

/** Whether others along the way can read what is sent there. */
export function isReadByOthers({ origin }: ServerAddress): boolean {
	const { protocol, hostname } = new URL(origin);
	return protocol === "http:" && !/^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname);
}

/** How traces name the server of a model. */
export function placeOf(address: string): { provider: string; address: string; port: number } {
	const [{ origin }] = readServerAddress(address);
	const { hostname, port, protocol } = new URL(origin);
	const usual = protocol === "http:" ? 80 : 443;
	return { provider: "openai-compatible", address: hostname, port: Number(port) || usual };
}
