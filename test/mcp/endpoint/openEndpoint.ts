import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createHttpEndpoint, type HttpEndpointOptions } from "../../../src/mcp/endpoint/httpEndpoint.ts";

export async function openEndpoint(
	t: TestContext,
	toolsFor: HttpEndpointOptions["toolsFor"],
	options: Partial<HttpEndpointOptions> = {},
) {
	const onError = (thrown: unknown) => assert.fail(String(thrown));
	const endpoint = createHttpEndpoint({ version: "1", toolsFor, onError, ...options });
	t.after(() => endpoint.close());
	const { url } = await endpoint.start();
	const connect = async (session: string) => {
		const token = endpoint.tokenFor(session);
		const headers = { Authorization: `Bearer ${token}` };
		const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
		const client = new Client({ name: "test", version: "1" });
		// The SDK's types ignore exact optional properties.
		await client.connect(transport as Parameters<Client["connect"]>[0]);
		t.after(() => client.close());
		return { client, token, id: transport.sessionId ?? "" };
	};
	return { endpoint, url, connect };
}
