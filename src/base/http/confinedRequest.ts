import { type LookupAddress, lookup as resolveName } from "node:dns";
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Failure, isFailure } from "../failure.ts";
import { wordList } from "../words/wordList.ts";
import { networkReasonOf } from "./endpointWords.ts";

export interface ConfinedRequest {
	readonly method: string;
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
	/** Hosts that may be contacted, as in `URL.host`. Hosts in local networks must be listed by address, too. */
	readonly hosts: readonly string[];
	readonly timeoutMs: number;
	readonly maxBytes: number;
}

export interface ConfinedAnswer {
	readonly status: number;
	/** Media type without parameters; empty if the header is missing. */
	readonly type: string;
	readonly text: string;
	/** Session ID of a Model Context Protocol server. */
	readonly session?: string;
}

const MAX_REDIRECTS = 3;

const TEXT =
	/^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|x-yaml|x-ndjson|graphql|javascript|sparql-results|x-www-form-urlencoded))$/;

const LOOPBACK = listOf("127.0.0.0/8", "::1/128");

/** Addresses of this machine and local networks. Public names must not resolve to these addresses. */
const NEAR = listOf(
	...wordList(`
	0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16
	198.18.0.0/15 224.0.0.0/3 ::/96 fc00::/7 fe80::/10 fec0::/10 ff00::/8
	`),
	// IPv6 addresses that contain IPv4 addresses (NAT64 and 6to4).
	...wordList("64:ff9b::/96 64:ff9b:1::/48 2002::/16"),
);

/** Sends a request to a listed host and reads a text of at most `maxBytes`. Rejects with a `Failure`. */
export async function sendConfined(request: ConfinedRequest, signal: AbortSignal): Promise<ConfinedAnswer> {
	const either = AbortSignal.any([signal, AbortSignal.timeout(request.timeoutMs)]);
	try {
		return await follow(request, either, MAX_REDIRECTS);
	} catch (thrown) {
		signal.throwIfAborted();
		if (isFailure(thrown)) throw thrown;
		const why = either.aborted
			? `it sent no complete answer within ${request.timeoutMs / 1000} s`
			: networkReasonOf(thrown);
		throw failed(request.url, why);
	}
}

async function follow(request: ConfinedRequest, signal: AbortSignal, left: number): Promise<ConfinedAnswer> {
	const { url, method } = request;
	requireNamed(request);
	const answer = await send(request, signal);
	const { location } = answer.headers;
	if (location === undefined || ![301, 302, 303, 307, 308].includes(answer.statusCode ?? 0))
		return read(answer, request);
	answer.destroy();
	const next = URL.parse(location, url.href);
	// Another host needs its own permission, and a body is sent only once.
	if (next?.origin !== url.origin || method !== "GET" || left === 0)
		throw failed(url, `it redirects to ${next?.host ?? "another place"}, and redirects are not followed`);
	return follow({ ...request, url: next }, signal, left - 1);
}

function requireNamed({ url, hosts }: ConfinedRequest): void {
	if (url.protocol !== "https:" && url.protocol !== "http:")
		throw failed(url, "only http and https are supported");
	if (url.username || url.password) throw failed(url, "an address must not contain a name or a password");
	if (!hosts.includes(url.host)) throw failed(url, "the host is not among those that the plugin names");
}

async function send(request: ConfinedRequest, signal: AbortSignal): Promise<IncomingMessage> {
	const { url, method, headers, body } = request;
	const { request: open } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
	const options: RequestOptions = {
		method,
		// A compressed answer could expand to any size.
		headers: { ...headers, "accept-encoding": "identity" },
		agent: false,
		lookup: confinedLookup(request),
		signal,
	};
	return new Promise((resolve, reject) => {
		const sent: ClientRequest = open(url, options, resolve);
		sent.on("error", reject);
		sent.end(body);
	});
}

/** Checks the addresses that the connection uses, because a second lookup of the name could return others. */
function confinedLookup(request: ConfinedRequest): LookupFunction {
	return (hostname, options, callback) => {
		resolveName(hostname, { ...options, all: true }, (error, found) => {
			const [first] = found ?? [];
			const refusal = error ?? refusalOf(found, hostname, request);
			if (refusal || !first) callback(refusal, "");
			else if (options.all) callback(null, found);
			else callback(null, first.address, first.family);
		});
	};
}

function refusalOf(found: readonly LookupAddress[], name: string, { url, hosts }: ConfinedRequest) {
	if (found.length === 0) return failed(url, "it has no address");
	const refused = found.find(({ address }) => !mayReach(address, name, hosts));
	if (!refused) return null;
	return failed(url, `its name leads to ${refused.address}, which the plugin does not name among its hosts`);
}

function mayReach(address: string, name: string, hosts: readonly string[]): boolean {
	if (!isIn(NEAR, address) || (name === "localhost" && isIn(LOOPBACK, address))) return true;
	const written = address.includes(":") ? `[${address}]` : address;
	return hosts.some((host) => host === written || host.startsWith(`${written}:`));
}

async function read(answer: IncomingMessage, { url, maxBytes }: ConfinedRequest): Promise<ConfinedAnswer> {
	const { statusCode: status = 0, headers } = answer;
	const type = (headers["content-type"] ?? "").split(";", 1).join("").trim().toLowerCase();
	try {
		if ((headers["content-encoding"] ?? "identity") !== "identity")
			throw failed(url, "its answer is compressed");
		const pieces: Buffer[] = [];
		let size = 0;
		for await (const piece of answer) {
			pieces.push(piece as Buffer);
			size += (piece as Buffer).length;
			if (size > maxBytes) throw failed(url, `its answer is larger than ${maxBytes / 1000} kB`);
		}
		if (size > 0 && type !== "" && !TEXT.test(type)) throw failed(url, `its answer is not text but ${type}`);
		const { "mcp-session-id": session } = headers;
		const text = new TextDecoder().decode(Buffer.concat(pieces));
		return { status, type, text, ...(typeof session === "string" && { session }) };
	} finally {
		answer.destroy();
	}
}

function failed({ host }: URL, why: string): Failure {
	return new Failure("ENDPOINT_FAILED", `${host || "The address"} could not be used: ${why}.`);
}

function isIn(list: BlockList, address: string): boolean {
	const family = isIP(address);
	// Anything but an IP address counts as near, so that the request is refused.
	return family === 0 || list.check(address, family === 6 ? "ipv6" : "ipv4");
}

function listOf(...networks: readonly string[]): BlockList {
	const list = new BlockList();
	for (const network of networks) {
		const [address = "", bits] = network.split("/");
		list.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
	}
	return list;
}
