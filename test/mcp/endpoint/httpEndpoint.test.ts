import assert from "node:assert/strict";
import { request } from "node:http";
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
	const clock = { now: 1_000_000 };
	const tools = (session: string) => [answering("whoami", session)];
	const opened = await openEndpoint(t, tools, { now: () => clock.now, ...options });
	return { ...opened, clock, post: poster(opened.url) };
}

interface Sent {
	readonly body?: unknown;
	readonly method?: string;
	readonly path?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

function poster(url: string) {
	return async (
		token: string | undefined,
		body: unknown = INITIALIZE,
		{ method = "POST", path = "/mcp", headers = {} }: Sent = {},
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
		const response = new Promise<{ status: number; retryAfter: string | undefined; body: string }>(
			(resolve, reject) => {
				sent.once("error", reject);
				sent.once("response", async (got) => {
					const retryAfter = got.headers["retry-after"];
					resolve({ status: got.statusCode ?? 0, retryAfter, body: await text(got) });
				});
			},
		);
		const bytes = typeof body === "string" ? body : JSON.stringify(body);
		sent.end(method === "POST" ? bytes : undefined);
		return response;
	};
}

test("an agent calls the tools of its own session, in words only", async (t) => {
	const { connect } = await open(t);
	const [{ client: anna }, { client: bo }] = [await connect("anna"), await connect("bo")];
	assert.equal((await anna.listTools()).tools[0]?.outputSchema, undefined);
	const { content, structuredContent } = await anna.callTool({ name: "whoami" });
	assert.deepEqual([content, structuredContent], [[{ type: "text", text: "anna" }], undefined]);
	assert.deepEqual((await bo.callTool({ name: "whoami" })).content, [{ type: "text", text: "bo" }]);
});

test("only this machine can reach it", async (t) => {
	const { url } = await open(t);
	const { hostname, port } = new URL(url);
	assert.equal(hostname, "127.0.0.1");
	const others = Object.values(networkInterfaces()).flatMap((addresses = []) =>
		addresses.filter(({ internal, family }) => !internal && family === "IPv4"),
	);
	for (const { address } of others) await assert.rejects(fetch(`http://${address}:${port}/mcp`));
});

test("without a token, or with one that was not made here, nobody is answered", async (t) => {
	const { endpoint, post } = await open(t);
	const stranger = createHttpEndpoint({ version: "1", toolsFor: () => [], onError: () => undefined });
	const token = endpoint.tokenFor("anna");
	const flipped = (token.startsWith("A") ? "B" : "A") + token.slice(1);
	const wrong = [undefined, "", "x", flipped, token.slice(0, -4), `${token}.x`, stranger.tokenFor("anna")];
	for (const one of wrong) assert.equal((await post(one)).status, 401, one);
	assert.equal((await post(token)).status, 200);
	const basic = await post(undefined, INITIALIZE, { headers: { authorization: `Basic ${token}` } });
	assert.equal(basic.status, 401);
});

test("a token holds as long as its session is heard of, and expires some hours after that", async (t) => {
	const { endpoint, post, clock } = await open(t, { tokenLifeMs: 12 * HOURS });
	const [token, other] = [endpoint.tokenFor("anna"), endpoint.tokenFor("bo")];
	clock.now += 11 * HOURS;
	assert.equal((await post(token)).status, 200);
	clock.now += 11 * HOURS;
	assert.deepEqual([(await post(token)).status, (await post(other)).status], [200, 401]);
	clock.now += 13 * HOURS;
	assert.equal((await post(token)).status, 401);
	const next = endpoint.tokenFor("anna");
	assert.deepEqual([(await post(token)).status, (await post(next)).status], [200, 200]);
});

test("an endpoint that could not listen does so for the next session", async (t) => {
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

test("a session without a token is shut out until it is given another one; others are not", async (t) => {
	const { endpoint, post, connect } = await open(t);
	const [old, other] = [endpoint.tokenFor("anna"), endpoint.tokenFor("bo")];
	const { id, token } = await connect("anna");
	for (const one of [old, token]) endpoint.end(one);
	const renewed = endpoint.tokenFor("anna");
	const statuses = await Promise.all([old, other, renewed].map((one) => post(one)));
	assertMapped(statuses, ({ status }) => status, [401, 200, 200]);
	const gone = await post(renewed, INITIALIZE, { headers: { "mcp-session-id": id } });
	assert.equal(gone.status, 404);
});

test("the connection of another session does not exist", async (t) => {
	const { endpoint, post, connect } = await open(t);
	const { id } = await connect("anna");
	const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
	const headers = { "mcp-session-id": id, "mcp-protocol-version": "2025-06-18" };
	assert.equal((await post(endpoint.tokenFor("bo"), list, { headers })).status, 404);
	assert.equal((await post(endpoint.tokenFor("bo"), list, { method: "DELETE", headers })).status, 404);
	assert.equal((await post(endpoint.tokenFor("anna"), list, { headers })).status, 200);
});

const LONG = JSON.stringify({ ...INITIALIZE, padding: "x".repeat(2000) });

/** Names that may lead here; `PORT` is that of the endpoint. */
const OTHER_HOSTS = listed(`
	evil.example:PORT | 127.0.0.1.evil.example:PORT | localhost:80@evil.example:PORT | 127.1:PORT | localhost.:PORT
	127.0.0.1:1
`);
const OTHER_ORIGINS = ["http://localhost:1", "https://evil.example", "null"];

const REQUESTS: readonly (readonly [status: number, sent: Sent])[] = [
	...OTHER_HOSTS.map((host) => [403, { headers: { host } }] as const),
	...OTHER_ORIGINS.map((origin) => [403, { headers: { origin } }] as const),
	[200, { headers: { origin: "http://localhost:PORT" } }],
	[404, { path: "/" }],
	[404, { path: "/mcp/../mcp" }],
	[404, { path: "http://evil.example/mcp" }],
	[405, { method: "PUT" }],
	[405, { method: "OPTIONS" }],
	[413, { body: LONG, headers: { "content-length": String(LONG.length) } }],
	[413, { body: LONG, headers: { "transfer-encoding": "chunked" } }],
	[400, { body: "{" }],
	[400, { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }],
	[400, { body: [INITIALIZE, INITIALIZE] }],
	[200, {}],
];

test("pages in a browser, other paths and methods, and bodies that are no beginning are refused", async (t) => {
	const { endpoint, post, url } = await open(t, { maxBodyBytes: 1000 });
	const token = endpoint.tokenFor("anna");
	for (const [status, { body, headers = {}, ...sent }] of REQUESTS) {
		const { port } = new URL(url);
		const all = Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", port)]);
		const answer = await post(token, body, { ...sent, headers: Object.fromEntries(all) });
		assert.equal(answer.status, status, JSON.stringify([sent, headers, body]).slice(0, 200));
	}
});

test("who calls too often waits, and does not make others wait", async (t) => {
	const { endpoint, post, clock } = await open(t, { burst: 3, perSecond: 0.5 });
	const [anna, bo] = [endpoint.tokenFor("anna"), endpoint.tokenFor("bo")];
	for (let call = 0; call < 3; call++) assert.equal((await post(anna)).status, 200);
	const refused = await post(anna);
	assert.deepEqual([refused.status, refused.retryAfter], [429, "2"]);
	assert.equal((await post(bo)).status, 200);
	// Another token of the same session is the same caller.
	assert.equal((await post(endpoint.tokenFor("anna"))).status, 429);
	clock.now += 2000;
	assert.equal((await post(anna)).status, 200);
	assert.equal((await post(anna)).status, 429);
});

type Opened = Awaited<ReturnType<typeof open>> & { readonly token: string };

const ENDS: Readonly<Record<string, (opened: Opened) => unknown>> = {
	"the last token of a session": ({ endpoint, token }) => endpoint.end(token),
	"an endpoint that closes": ({ endpoint }) => endpoint.close(),
};

for (const [what, end] of Object.entries(ENDS))
	test(`${what} ends what is at work for it, and leaves no way in`, async (t) => {
		const { tool, started, cancelled } = waiting("wait");
		const opened = await open(t, { toolsFor: () => [tool] });
		const { client, token } = await opened.connect("anna");
		const call = client.callTool({ name: "wait" }).catch(() => undefined);
		await started;
		await end({ ...opened, token });
		await cancelled;
		const status = await opened.post(token).then(
			(answer) => answer.status,
			() => 401,
		);
		assert.equal(status, 401);
		await opened.endpoint.close();
		await client.close();
		await call;
	});

test("what a session was given it hands on by reference, over all its connections, and no other session does", async (t) => {
	const words = {
		word: { anyOf: [{ type: "string" }, { type: "string", pattern: ASSET_REF_SCHEMA.pattern }] },
	};
	const upper = scriptedTool("upper", async (input) => ({ text: JSON.stringify(input).toUpperCase() }));
	const taking = { ...upper, inputSchema: { type: "object", properties: words } };
	const rows = (session: string) => answering("rows", JSON.stringify({ rows: [{ name: session }] }));
	const opened = await openEndpoint(t, (session) => [rows(session), taking]);
	const open = async (session: string) => (await opened.connect(session)).client;
	const [anna, again, bo] = [await open("anna"), await open("anna"), await open("bo")];
	const said = async (client: typeof anna, name: string, word = "") =>
		JSON.stringify((await client.callTool({ name, arguments: { word } })).content);
	const [reference = ""] = /asset:\/\/\d+/.exec(await said(anna, "rows")) ?? [];
	assert.match(await said(again, "upper", `${reference}/rows/0/name`), /ANNA/);
	assert.doesNotMatch(await said(bo, "upper", `${reference}/rows/0/name`), /ANNA/);
});
