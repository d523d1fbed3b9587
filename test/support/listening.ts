import { once } from "node:events";
import { createServer, Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";

/** Makes a server listen on this machine until the test ends; returns its port. */
export async function portOf(t: Pick<TestContext, "after">, server: Server): Promise<number> {
	await once(server.listen(0, "127.0.0.1"), "listening");
	t.after(() => {
		server.close();
		if (server instanceof HttpServer) server.closeAllConnections();
	});
	return (server.address() as AddressInfo).port;
}

export type TextAnswer = readonly [status: number, headers: Readonly<Record<string, string>>, text: string];

/** Serves texts by path, and records requests as `METHOD /path keybody` (`key`: the header `x-key`). */
export async function serveTexts(t: Pick<TestContext, "after">, answerTo: (path: string) => TextAnswer) {
	const asked: string[] = [];
	const server = createServer(async (request, response) => {
		asked.push(`${request.method} ${request.url} ${request.headers["x-key"] ?? ""}${await text(request)}`);
		const [status, headers, said] = answerTo(request.url ?? "");
		response.writeHead(status, { "content-type": "text/plain", ...headers }).end(said);
	});
	const port = await portOf(t, server);
	return { asked, port, host: `127.0.0.1:${port}` };
}
