import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Server } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { ASSET_REF_SCHEMA } from "../../../src/core/agent/assetRef.ts";
import { createHttpEndpoint, type HttpEndpointOptions } from "../../../src/mcp/endpoint/httpEndpoint.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { listed } from "../../support/listed.ts";
import { answering, scriptedTool, waiting } from "../scriptedTool.ts";
import { openEndpoint } from "./openEndpoint.ts";

const HOURS = 60 * 60 * 1000;

const CLIENT = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
const INITIALIZE = { jsonrpc: "2.0", id: 1, method: "initialize", params: CLIENT };

async function open(t: TestContext, options: Partial<HttpEndpointOptions> = {}) {
	const opened = await openEndpoint(t, (session) => [answering("whoami", session)], options);
	return { ...opened, post: poster(opened.url) };
}

type Opened = Awaited<ReturnType<typeof open>>;

interface Sent {
	readonly body?: unknown;
	readonly method?: string;
	readonly path?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

function poster(url: string) {
	return async (
		token?: string,
		{ body = INITIALIZE, method = "POST", path = "/mcp", headers }: Sent = {},
	) => {
		const sent = request(url, {
			...{ method, path, agent: false },
			headers: {
				"content-type": "application/json",
				accept: "application/json, text/event-stream",
				...(token !== undefined && { authorization: `Bearer ${token}` }),
				...headers,
			},
		});
		const bytes = typeof body === "string" ? body : JSON.stringify(body);
		sent.end(method === "POST" ? bytes : undefined);
		// The refusal may arrive before the request is sent completely.
		sent.on("error", () => undefined);
		const [response]: IncomingMessage[] = await once(sent, "response");
		await text(response ?? assert.fail());
		return { status: response?.statusCode, retryAfter: response?.headers["retry-after"] };
	};
}

test("the endpoint listens on this machine only and serves each agent the tools of its session, as text", async (t) => {
	const { connect, url } = await open(t);
	const [{ client: anna }, { client: bo }] = [await connect("anna"), await connect("bo")];
	assert.equal((await anna.listTools()).tools[0]?.outputSchema, undefined);
	const { content, structuredContent } = await anna.callTool({ name: "whoami" });
	assert.deepEqual([content, structuredContent], [[{ type: "text", text: "anna" }], undefined]);
	assert.deepEqual((await bo.callTool({ name: "whoami" })).content, [{ type: "text", text: "bo" }]);
	const { hostname, port } = new URL(url);
	assert.equal(hostname, "127.0.0.1");
	for (const { internal, family, address } of Object.values(networkInterfaces()).flatMap((all = []) => all))
		if (!internal && family === "IPv4") await assert.rejects(fetch(`http://${address}:${port}/mcp`));
});

test("requests without a valid, unexpired token are refused", async (t) => {
	t.mock.timers.enable({ apis: ["Date"] });
	const { endpoint, post } = await open(t);
	const stranger = createHttpEndpoint({ version: "1", toolsFor: () => [], onError: () => undefined });
	const [token, other] = [endpoint.tokenFor("anna"), endpoint.tokenFor("bo")];
	const flipped = (token.startsWith("A") ? "B" : "A") + token.slice(1);
	const wrong = [undefined, "", "x", flipped, token.slice(0, -4), `${token}.x`, stranger.tokenFor("anna")];
	const statusOf = async (one: string | undefined) => (await post(one)).status;
	for (const one of wrong) assert.equal(await statusOf(one), 401, one);
	const basic = await post(undefined, { headers: { authorization: `Basic ${token}` } });
	assert.equal(basic.status, 401);
	// A call renews the token.
	for (const expected of [200, 200, 401]) {
		t.mock.timers.tick((expected === 200 ? 11 : 13) * HOURS);
		assert.equal(await statusOf(token), expected);
	}
	assert.equal(await statusOf(other), 401);
	const next = endpoint.tokenFor("anna");
	assert.deepEqual([await statusOf(token), await statusOf(next)], [200, 200]);
});

test("an endpoint that failed to listen tries again for the next session", async (t) => {
	const endpoint = createHttpEndpoint({ version: "1", toolsFor: () => [], onError: () => undefined });
	t.after(() => endpoint.close());
	const refuse = function (this: Server) {
		process.nextTick(() => this.emit("error", new Error("No port is free.")));
		return this;
	};
	t.mock.method(Server.prototype, "listen", refuse, { times: 1 });
	await assert.rejects(endpoint.start(), /No port is free/);
	assert.match((await endpoint.start()).url, /^http:/);
});

test("a revoked session is refused until it gets a new token, and never uses connections of other sessions", async (t) => {
	const { endpoint, post, connect } = await open(t);
	const [old, other] = [endpoint.tokenFor("anna"), endpoint.tokenFor("bo")];
	const { id, token } = await connect("anna");
	const body = { jsonrpc: "2.0", id: 2, method: "tools/list" };
	const list = { body, headers: { "mcp-session-id": id, "mcp-protocol-version": "2025-06-18" } };
	assert.equal((await post(other, list)).status, 404);
	assert.equal((await post(other, { ...list, method: "DELETE" })).status, 404);
	assert.equal((await post(old, list)).status, 200);
	for (const one of [old, token]) endpoint.end(one);
	const renewed = endpoint.tokenFor("anna");
	const statuses = await Promise.all([old, other, renewed].map((one) => post(one)));
	assertMapped(statuses, ({ status }) => status, [401, 200, 200]);
	assert.equal((await post(renewed, list)).status, 404);
});

const LONG = JSON.stringify({ ...INITIALIZE, padding: "x".repeat(1_000_000) });

/** Host names that may resolve to this machine; `PORT` is the endpoint's port. */
const OTHER_HOSTS = listed(`
	evil.example:PORT | 127.0.0.1.evil.example:PORT | localhost:80@evil.example:PORT | 127.1:PORT | localhost.:PORT
	127.0.0.1:1
`);
const OTHER_ORIGINS = ["http://localhost:1", "https://evil.example", "null"];

const REQUESTS: readonly (readonly [status: number, sent: Sent])[] = [
	...OTHER_HOSTS.map((host) => [403, { headers: { host } }] as const),
	...OTHER_ORIGINS.map((origin) => [403, { headers: { origin } }] as const),
	[200, { headers: { origin: "http://localhost:PORT" } }],
	...["/", "/mcp/../mcp", "http://evil.example/mcp"].map((path) => [404, { path }] as const),
	...["PUT", "OPTIONS"].map((method) => [405, { method }] as const),
	[413, { body: LONG, headers: { "content-length": String(LONG.length) } }],
	[413, { body: LONG, headers: { "transfer-encoding": "chunked" } }],
	[400, { body: "{" }],
	[400, { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }],
	[400, { body: [INITIALIZE, INITIALIZE] }],
	[200, {}],
];

test("browser pages, other paths and methods, and invalid first messages are refused", async (t) => {
	const { endpoint, post, url } = await open(t);
	const token = endpoint.tokenFor("anna");
	for (const [status, sent] of REQUESTS) {
		const headers = JSON.parse(JSON.stringify(sent.headers ?? {}).replace("PORT", new URL(url).port));
		const answer = await post(token, { ...sent, headers });
		assert.equal(answer.status, status, JSON.stringify(sent).slice(0, 200));
	}
});

test("a caller with too many calls must wait, and other callers continue", async (t) => {
	t.mock.timers.enable({ apis: ["Date"] });
	const { endpoint, post } = await open(t);
	const [anna, bo] = [endpoint.tokenFor("anna"), endpoint.tokenFor("bo")];
	for (let call = 0; call < 100; call++) assert.equal((await post(anna)).status, 200);
	const refused = await post(anna);
	assert.deepEqual([refused.status, refused.retryAfter], [429, "1"]);
	assert.equal((await post(bo)).status, 200);
	// Another token of the session shares its limit.
	assert.equal((await post(endpoint.tokenFor("anna"))).status, 429);
	t.mock.timers.tick(50);
	assert.equal((await post(anna)).status, 200);
	assert.equal((await post(anna)).status, 429);
});

test("ending a session's last token, or the endpoint, cancels its calls and closes all access", async (t) => {
	for (const end of [
		async ({ endpoint }: Opened, token: string) => endpoint.end(token),
		async ({ endpoint }: Opened) => endpoint.close(),
	]) {
		const { tool, started, cancelled } = waiting("wait");
		const opened = await open(t, { toolsFor: () => [tool] });
		const { client, token } = await opened.connect("anna");
		const call = client.callTool({ name: "wait" }).catch(() => undefined);
		await started;
		await end(opened, token);
		await cancelled;
		const { status } = await opened.post(token).catch(() => ({ status: 401 }));
		assert.equal(status, 401);
		await opened.endpoint.close();
		await client.close();
		await call;
	}
});

test("a session can pass its own results by reference on all its connections; other sessions cannot", async (t) => {
	const word = { anyOf: [{ type: "string" }, { type: "string", pattern: ASSET_REF_SCHEMA.pattern }] };
	const upper = scriptedTool("upper", async (input) => ({ text: JSON.stringify(input).toUpperCase() }));
	const taking = { ...upper, inputSchema: { type: "object", properties: { word } } };
	const rows = (session: string) => answering("rows", JSON.stringify({ rows: [{ name: session }] }));
	const opened = await openEndpoint(t, (session) => [rows(session), taking]);
	const said = async (session: string, name: string, word = "") => {
		const { client } = await opened.connect(session);
		return JSON.stringify((await client.callTool({ name, arguments: { word } })).content);
	};
	const [reference = ""] = /asset:\/\/\d+/.exec(await said("anna", "rows")) ?? [];
	assert.match(await said("anna", "upper", `${reference}/rows/0/name`), /ANNA/);
	assert.doesNotMatch(await said("bo", "upper", `${reference}/rows/0/name`), /ANNA/);
});
