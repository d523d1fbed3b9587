import type { IncomingMessage, ServerResponse } from "node:http";

/** Why a request is not answered, as HTTP says it. */
export class HttpRefusal extends Error {
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
export function refuse(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): void {
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
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
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
