import { randomUUID } from "node:crypto";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpServer, type ServerOptions } from "../server/server.ts";

/** No agent needs more at the same time; the oldest is dropped. */
const MOST_CLIENTS = 8;

/** An MCP connection, which may span many HTTP requests. */
interface McpClient {
	readonly session: string;
	readonly transport: StreamableHTTPServerTransport;
}

export type McpClients = ReturnType<typeof createMcpClients>;

export function createMcpClients(optionsFor: (session: string) => ServerOptions) {
	const clients = new Map<string, McpClient>();
	return {
		/** Clients of this session only; those of others are not found. */
		find: (id: string, session: string) => {
			const client = clients.get(id);
			return client?.session === session ? client.transport : undefined;
		},
		/** A new one, which is kept once the client has introduced itself. */
		open: async (session: string) => {
			const transport = new StreamableHTTPServerTransport({
				sessionIdGenerator: randomUUID,
				onsessioninitialized: (id) => {
					clients.set(id, { session, transport });
					return closeAll(of(session).slice(0, -MOST_CLIENTS));
				},
				onsessionclosed: (id) => void clients.delete(id),
			});
			await createMcpServer(optionsFor(session)).connect(transport);
			return transport;
		},
		/** Ends the clients of a session, or all. */
		close: (session?: string) => closeAll(of(session)),
	};

	function of(session: string | undefined): [string, McpClient][] {
		return [...clients].filter(([, client]) => session === undefined || client.session === session);
	}

	async function closeAll(ended: readonly [string, McpClient][]): Promise<void> {
		for (const [id] of ended) clients.delete(id);
		await Promise.all(ended.map(([, { transport }]) => transport.close()));
	}
}
