import { once } from "node:events";
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from "node:http";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { createAssetShelf } from "../../agent/assets/assetShelf.ts";
import { messageOf } from "../../base/failure.ts";
import type { McpEndpoint, StepGrant, Tool } from "../../core/agent/tool.ts";
import type { ServerOptions } from "../server/server.ts";
import { createMcpClients, type McpClients } from "./mcpClients.ts";
import { createSessionTokens, type SessionTokens } from "./sessionTokens.ts";

const LOOPBACK = "127.0.0.1";

const PATH = "/mcp";

const METHODS = ["POST", "GET", "DELETE"];

export interface HttpEndpointOptions {
	readonly version: string;
	readonly toolsFor: (session: string, step: StepGrant | undefined) => readonly Tool[];
	/** Further tools, which may change; absent if there are none. */
	readonly commandsFor?: (session: string, step: StepGrant | undefined) => ServerOptions["commands"];
	/** Gets errors that cannot be returned to a caller. */
	readonly onError: (thrown: unknown) => void;
	/** How long a token stays valid after the last sign of its session, in milliseconds. */
	readonly tokenLifeMs?: number;
	/** How many calls a session may make at once, and how many more in each second. */
	readonly burst?: number;
	readonly perSecond?: number;
	readonly maxBodyBytes?: number;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

interface Parts {
	readonly tokens: SessionTokens;
	readonly rates: RateLimit;
	readonly clients: McpClients;
	readonly maxBodyBytes: number;
}

/** The tools for sessions of agents on this machine: streamable HTTP, a token for each session. */
export function createHttpEndpoint(options: HttpEndpointOptions): McpEndpoint {
	const { now = Date.now, tokenLifeMs = 12 * 60 * 60 * 1000 } = options;
	const { burst = 100, perSecond = 20, maxBodyBytes = 1_000_000 } = options;
	const steps = new Map<string, StepGrant>();
	const known = createKnownCommands();
	const parts: Parts = {
		tokens: createSessionTokens({ lifeMs: tokenLifeMs, now }),
		rates: createRateLimit({ burst, perSecond, now }),
		clients: createMcpClients((session) => serverFor(session, { step: steps.get(session), known }, options)),
		maxBodyBytes,
	};
	const server = createServer(answering(parts, options.onError));
	const shutOut = (session: string) => {
		steps.delete(session);
		known.forget(session);
		parts.rates.forget(session);
		parts.clients.close(session).catch(options.onError);
	};
	let listening: Promise<{ readonly url: string }> | undefined;
	return {
		start: () => {
			// The next session tries again.
			listening ??= listen(server).catch((thrown: unknown) => {
				listening = undefined;
				throw thrown;
			});
			return listening;
		},
		tokenFor: (session, step) => {
			if (step) steps.set(session, step);
			return parts.tokens.tokenFor(session);
		},
		hasCommand: known.has,
		end: (token) => {
			const session = parts.tokens.end(token);
			if (session !== undefined) shutOut(session);
		},
		revoke: (session) => {
			parts.tokens.revoke(session);
			shutOut(session);
		},
		close: async () => {
			// If it could not listen, there is nothing to end.
			await listening?.catch(() => undefined);
			await parts.clients.close();
			if (!server.listening) return;
			server.close();
			server.closeAllConnections();
			await once(server, "close");
		},
	};
}

function serverFor(
	session: string,
	{ step, known }: { readonly step: StepGrant | undefined; readonly known: KnownCommands },
	{ version, toolsFor, commandsFor }: HttpEndpointOptions,
): ServerOptions {
	const scope = step && { scope: step.scope };
	const list = commandsFor?.(session, step);
	const commands = list && { commands: known.reading(session, list) };
	// The Copilot CLI would show its model the same twice, as text and as structure.
	return {
		version,
		tools: toolsFor(session, step),
		...commands,
		isStructured: false,
		...scope,
		assets: known.assets.of(session),
	};
}

type KnownCommands = ReturnType<typeof createKnownCommands>;

/** The commands of plugins that each session knows of, and what it was given. */
function createKnownCommands() {
	const known = new Map<string, ReadonlySet<string>>();
	return {
		assets: createAssetShelf(),
		reading: (session: string, list: NonNullable<ServerOptions["commands"]>): typeof list => {
			return async (signal) => {
				const tools = await list(signal);
				known.set(session, new Set(tools.map(({ name }) => name)));
				return tools;
			};
		},
		has: (session: string, tool: string) => known.get(session)?.has(tool) ?? false,
		forget: (session: string) => void known.delete(session),
	};
}

async function listen(server: Server): Promise<{ readonly url: string }> {
	server.listen(0, LOOPBACK);
	await once(server, "listening");
	return { url: `http://${LOOPBACK}:${portOf(server)}${PATH}` };
}

function portOf(server: Server): number | undefined {
	const address = server.address();
	return typeof address === "object" ? address?.port : undefined;
}

function answering(parts: Parts, onError: HttpEndpointOptions["onError"]): RequestListener {
	return (request, response) => {
		answer(request, response, parts).catch((thrown: unknown) => {
			if (!(thrown instanceof HttpRefusal)) onError(thrown);
			const refusal = thrown instanceof HttpRefusal ? thrown : new HttpRefusal(500, messageOf(thrown));
			refuse(request, response, refusal);
		});
	};
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
	requireOurs(request);
	const session = callerOf(request, parts.tokens);
	const wait = parts.rates.take(session);
	if (wait > 0)
		throw new HttpRefusal(429, `Too many calls; wait ${wait} s.`, { "retry-after": String(wait) });
	const body = request.method === "POST" ? await readJson(request, parts.maxBodyBytes) : undefined;
	const transport = await transportFor(request, body, { session, clients: parts.clients });
	await transport.handleRequest(request, response, body);
}

/**
 * A page in a browser can send requests to this machine through a domain name that resolves to it. Such a request has
 * another host or another origin than ours, at which no page is served.
 */
function requireOurs({ headers, method = "", socket, url }: IncomingMessage): void {
	const hosts = [LOOPBACK, "localhost"].map((name) => `${name}:${socket.localPort}`);
	if (!hosts.includes(headers.host ?? "")) throw new HttpRefusal(403, "This host is not served here.");
	const isPage = headers.origin !== undefined && !hosts.some((host) => headers.origin === `http://${host}`);
	if (isPage) throw new HttpRefusal(403, "Pages in a browser are not served.");
	if (url !== PATH) throw new HttpRefusal(404, `There is only ${PATH}.`);
	if (!METHODS.includes(method))
		throw new HttpRefusal(405, `${method} is not used here.`, { allow: METHODS.join(", ") });
}

function callerOf({ headers }: IncomingMessage, tokens: SessionTokens): string {
	const [, token = ""] = /^Bearer (\S+)$/i.exec(headers.authorization ?? "") ?? [];
	const session = tokens.sessionOf(token);
	if (session !== undefined) return session;
	throw new HttpRefusal(401, "A token of this session is needed; this one is none, or has expired.", {
		"www-authenticate": "Bearer",
	});
}

async function transportFor(
	{ headers }: IncomingMessage,
	body: unknown,
	{ session, clients }: { readonly session: string; readonly clients: McpClients },
) {
	const id = headers["mcp-session-id"];
	if (id === undefined) {
		if (!isInitializeRequest(body)) throw new HttpRefusal(400, "A client begins with initialize.");
		return clients.open(session);
	}
	const transport = clients.find(String(id), session);
	if (!transport) throw new HttpRefusal(404, "This connection has ended; begin with initialize.");
	return transport;
}

/** A token bucket for every caller (Turner 1986, "New directions in communications"). */
type RateLimit = ReturnType<typeof createRateLimit>;

interface RateLimitOptions {
	/** Calls that may come at once. */
	readonly burst: number;
	/** Calls that each second makes room for. */
	readonly perSecond: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
}

interface Bucket {
	tokens: number;
	at: number;
}

function createRateLimit({ burst, perSecond, now }: RateLimitOptions) {
	const buckets = new Map<string, Bucket>();
	return {
		/** Takes one token. Returns the seconds until the next one, or 0 if the call may go on. */
		take: (caller: string) => {
			const at = now();
			const last = buckets.get(caller) ?? { tokens: burst, at };
			// A clock that was set back must not take tokens away.
			const gained = (Math.max(0, at - last.at) / 1000) * perSecond;
			const tokens = Math.min(burst, last.tokens + gained);
			const isFree = tokens >= 1;
			buckets.set(caller, { tokens: isFree ? tokens - 1 : tokens, at });
			return isFree ? 0 : Math.ceil((1 - tokens) / perSecond);
		},
		forget: (caller: string) => void buckets.delete(caller),
	};
}

/** Why a request is not answered, as HTTP says it. */
class HttpRefusal extends Error {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;

	constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
		super(message);
		this.name = "HttpRefusal";
		this.status = status;
		this.headers = headers;
	}
}

/** Sends it as a JSON-RPC error, which MCP clients show. The rest of the request stays unread. */
function refuse(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): void {
	if (response.headersSent) {
		response.destroy();
		return;
	}
	const isRead = request.complete;
	const body = { jsonrpc: "2.0", error: { code: -32000, message: refusal.message }, id: null };
	response.writeHead(refusal.status, {
		...refusal.headers,
		...(isRead ? {} : { connection: "close" }),
		"content-type": "application/json",
	});
	response.end(JSON.stringify(body));
}

/** Reads a body as JSON; rejects with an `HttpRefusal` if it is too long or not JSON. */
async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
	const tooLong = new HttpRefusal(413, `The body is longer than ${maxBytes} bytes.`);
	if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLong;
	const chunks: Buffer[] = [];
	let length = 0;
	// Leaving the loop must not destroy the socket: the refusal still goes over it.
	for await (const chunk of request.iterator({ destroyOnReturn: false })) {
		length += chunk.length;
		if (length > maxBytes) throw tooLong;
		chunks.push(chunk);
	}
	try {
		return JSON.parse(Buffer.concat(chunks).toString());
	} catch (cause) {
		throw new HttpRefusal(400, `The body is no JSON: ${cause instanceof Error ? cause.message : cause}`);
	}
}
