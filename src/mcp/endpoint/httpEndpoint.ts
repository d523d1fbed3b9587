import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once as onceTold } from "node:events";
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { type AssetShelf, createAssetShelf } from "../../agent/assets/assets.ts";
import { messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import type { StepGrant, Tool } from "../../core/agent/tool.ts";
import { createMcpServer, type ServerOptions } from "../server/server.ts";

const LOOPBACK = "127.0.0.1";
const PATH = "/mcp";
const METHODS = ["POST", "GET", "DELETE"];
const MAX_BYTES = 1_000_000;

/** Maximum concurrent connections of a session; the oldest is dropped. */
const MOST_CLIENTS = 8;

export interface HttpEndpointOptions {
	readonly version: string;
	readonly toolsFor: (session: string, step: StepGrant | undefined) => readonly Tool[];
	/** Lists further tools, which may change between requests. */
	readonly commandsFor?: (session: string, step: StepGrant | undefined) => ServerOptions["commands"];
	readonly onError: (thrown: unknown) => void;
}

interface Parts {
	readonly sessions: ReturnType<typeof createSessions>;
	connect(session: Session): Promise<StreamableHTTPServerTransport>;
}

/** Serves our tools to agents on this machine: streamable HTTP with a token per session. */
export function createHttpEndpoint(options: HttpEndpointOptions) {
	const { onError } = options;
	const sessions = createSessions();
	const shelf = createAssetShelf();
	const connect = (session: Session) => openClient(session, serverFor(session, options, shelf));
	const server = createServer(answering({ sessions, connect }, onError));
	const listening = once(() => listen(server));
	return {
		/** Starts listening on the loopback interface only. `url` is the URL of the MCP endpoint. */
		start: listening.get,
		/** Creates a bearer token that expires 12 hours after the session's last call. A step restricts calls. */
		tokenFor: sessions.tokenFor,
		hasCommand: (session: string, tool: string) => sessions.get(session)?.commands.has(tool) ?? false,
		/** Revokes a token. If it was the session's last token, running calls are cancelled. */
		end: (token: string) => {
			const session = sessions.end(token);
			if (session) closeClients(session).catch(onError);
		},
		close: async () => {
			await listening.peek()?.catch(() => undefined);
			await Promise.all(sessions.all().map((session) => closeClients(session)));
			if (!server.listening) return;
			server.close();
			server.closeAllConnections();
			await onceTold(server, "close");
		},
	};
}

function serverFor(
	session: Session,
	{ version, toolsFor, commandsFor }: HttpEndpointOptions,
	shelf: AssetShelf,
): ServerOptions {
	const { name, step } = session;
	const list = commandsFor?.(name, step);
	const commands = async (signal: AbortSignal) => {
		const tools = (await list?.(signal)) ?? [];
		session.commands = new Set(tools.map((tool) => tool.name));
		return tools;
	};
	return {
		version,
		tools: toolsFor(name, step),
		...(list && { commands }),
		// The Copilot CLI would show its model both the text and the equivalent structure.
		isStructured: false,
		...(step && { scope: step.scope }),
		assets: shelf.of(name),
	};
}

async function openClient(session: Session, options: ServerOptions): Promise<StreamableHTTPServerTransport> {
	const transport = new StreamableHTTPServerTransport({
		sessionIdGenerator: randomUUID,
		onsessioninitialized: (id) => {
			session.clients.set(id, transport);
			return closeClients(session, MOST_CLIENTS);
		},
		onsessionclosed: (id) => void session.clients.delete(id),
	});
	await createMcpServer(options).connect(transport);
	return transport;
}

async function closeClients({ clients }: Session, kept = 0): Promise<void> {
	const ended = [...clients].slice(0, Math.max(0, clients.size - kept));
	for (const [id] of ended) clients.delete(id);
	await Promise.all(ended.map(([, transport]) => transport.close()));
}

async function listen(server: Server): Promise<{ readonly url: string }> {
	server.listen(0, LOOPBACK);
	await onceTold(server, "listening");
	const address = server.address();
	const port = typeof address === "object" ? address?.port : undefined;
	return { url: `http://${LOOPBACK}:${port}${PATH}` };
}

function answering(parts: Parts, onError: HttpEndpointOptions["onError"]): RequestListener {
	return (request, response) => {
		answer(request, response, parts).catch((thrown: unknown) => {
			const refusal = thrown instanceof HttpRefusal ? thrown : new HttpRefusal(500, messageOf(thrown));
			if (refusal !== thrown) onError(thrown);
			refuse(request, response, refusal);
		});
	};
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
	requireOurs(request);
	const session = callerOf(request, parts);
	const wait = parts.sessions.takeCall(session);
	if (wait > 0)
		throw new HttpRefusal(429, `Too many calls; wait ${wait} s.`, { "retry-after": String(wait) });
	const body = request.method === "POST" ? await readJson(request) : undefined;
	const transport = await transportFor(request, body, { session, connect: parts.connect });
	await transport.handleRequest(request, response, body);
}

/** Rejects web pages. DNS rebinding lets pages reach this server, but with a foreign host or origin. */
function requireOurs({ headers, method = "", socket, url }: IncomingMessage): void {
	const hosts = [LOOPBACK, "localhost"].map((name) => `${name}:${socket.localPort}`);
	if (!hosts.includes(headers.host ?? "")) throw new HttpRefusal(403, "This host is not served here.");
	const isPage = headers.origin !== undefined && !hosts.some((host) => headers.origin === `http://${host}`);
	if (isPage) throw new HttpRefusal(403, "Pages in a browser are not served.");
	if (url !== PATH) throw new HttpRefusal(404, `There is only ${PATH}.`);
	if (!METHODS.includes(method))
		throw new HttpRefusal(405, `${method} is not used here.`, { allow: METHODS.join(", ") });
}

function callerOf({ headers }: IncomingMessage, { sessions }: Parts): Session {
	const [, token = ""] = /^Bearer (\S+)$/i.exec(headers.authorization ?? "") ?? [];
	const session = sessions.holderOf(token);
	if (session) return session;
	throw new HttpRefusal(401, "The bearer token is missing, unknown or expired.", {
		"www-authenticate": "Bearer",
	});
}

async function transportFor(
	{ headers }: IncomingMessage,
	body: unknown,
	{ session, connect }: { readonly session: Session; readonly connect: Parts["connect"] },
) {
	const id = headers["mcp-session-id"];
	if (id === undefined) {
		if (!isInitializeRequest(body)) throw new HttpRefusal(400, "A client begins with initialize.");
		return connect(session);
	}
	const transport = session.clients.get(String(id));
	if (!transport) throw new HttpRefusal(404, "This connection has ended; begin with initialize.");
	return transport;
}

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

/** Sends a refusal as a JSON-RPC error, which MCP clients show, without reading the rest of the request. */
function refuse(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): void {
	if (response.headersSent) return void response.destroy();
	const body = { jsonrpc: "2.0", error: { code: -32000, message: refusal.message }, id: null };
	const closing = request.complete ? {} : { connection: "close" };
	response.writeHead(refusal.status, { ...refusal.headers, ...closing, "content-type": "application/json" });
	response.end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
	const tooLong = new HttpRefusal(413, `The body is longer than ${MAX_BYTES} bytes.`);
	if (Number(request.headers["content-length"] ?? 0) > MAX_BYTES) throw tooLong;
	const chunks: Buffer[] = [];
	let length = 0;
	// Leaving the loop must not destroy the socket, which still has to send the refusal.
	for await (const chunk of request.iterator({ destroyOnReturn: false })) {
		length += chunk.length;
		if (length > MAX_BYTES) throw tooLong;
		chunks.push(chunk);
	}
	try {
		return JSON.parse(Buffer.concat(chunks).toString());
	} catch (cause) {
		throw new HttpRefusal(400, `The body is not JSON: ${messageOf(cause)}`);
	}
}

interface Session {
	readonly name: string;
	/** The step that the session runs; absent for sessions outside of a chain. */
	step?: StepGrant;
	commands: ReadonlySet<string>;
	/** MCP connections by id, oldest first; each may span many HTTP requests. */
	readonly clients: Map<string, StreamableHTTPServerTransport>;
	/** Expiry of the session's tokens, in milliseconds since 1970. */
	expires: number;
	/** Number of calls left at the time `countedAt`. */
	calls: number;
	/** Milliseconds since 1970. */
	countedAt: number;
}

/** Milliseconds that a token stays valid after the session's last call. */
const LIFE_MS = 12 * 60 * 60 * 1000;
/** Number of calls that a session may make at once; `PER_SECOND` are added each second. */
const BURST = 100;
const PER_SECOND = 20;

function createSessions() {
	const sessions = new Map<string, Session>();
	/** Sessions by hash of their tokens, so that the time of a comparison reveals nothing about a token. */
	const holders = new Map<string, Session>();
	return {
		get: (name: string) => sessions.get(name),
		all: () => [...sessions.values()],
		/** Creates a token, and renews the session's other tokens. */
		tokenFor: (name: string, step?: StepGrant) => {
			const made = { name, commands: new Set<string>(), clients: new Map(), expires: 0 };
			const session: Session = sessions.get(name) ?? { ...made, calls: BURST, countedAt: Date.now() };
			session.expires = Date.now() + LIFE_MS;
			if (step) session.step = step;
			sessions.set(name, session);
			const token = randomBytes(32).toString("base64url");
			holders.set(hashOf(token), session);
			return token;
		},
		/** Returns a token's session and renews it; `undefined` if the token is unknown, expired or revoked. */
		holderOf: (token: string) => {
			const session = holders.get(hashOf(token));
			if (!session || session.expires <= Date.now()) return undefined;
			session.expires = Date.now() + LIFE_MS;
			return session;
		},
		/** Revokes a token. Returns the session if this was its last token. */
		end: (token: string) => {
			const hash = hashOf(token);
			const session = holders.get(hash);
			holders.delete(hash);
			if (!session || [...holders.values()].includes(session)) return undefined;
			sessions.delete(session.name);
			return session;
		},
		/** Token bucket (Turner 1986, "New directions in communications"): seconds until the next call, or 0. */
		takeCall: (session: Session) => {
			// Setting the clock back must not reduce the number of calls.
			const seconds = Math.max(0, Date.now() - session.countedAt) / 1000;
			const calls = Math.min(BURST, session.calls + seconds * PER_SECOND);
			const isFree = calls >= 1;
			session.calls = isFree ? calls - 1 : calls;
			session.countedAt = Date.now();
			return isFree ? 0 : Math.ceil((1 - calls) / PER_SECOND);
		},
	};
}

function hashOf(token: string): string {
	return createHash("sha256").update(token).digest("hex");
}
