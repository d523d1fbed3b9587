import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { portOf } from "../support/listening.ts";

export interface Asked {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: Record<string, unknown>;
	/** Resolves if the client disconnects before the answer is complete. */
	readonly left: Promise<unknown>;
}

export type Answer = (response: ServerResponse, asked: Asked) => void;

export type ScriptedServer = Awaited<ReturnType<typeof scriptedServer>>;

/** Starts a server with OpenAI's protocol, the given models and scripted answers. */
export async function scriptedServer(t: Pick<TestContext, "after">, ...models: readonly object[]) {
	const asked: Asked[] = [];
	const pages = new Map<string, Answer>();
	if (models.length > 0) pages.set("/v1/models", json({ data: models }));
	let answers: Answer[] = [];
	const nextAnswer = () => (answers.length > 1 ? answers.shift() : answers[0]);
	const server = createServer(async (request, response) => {
		const text = (await request.setEncoding("utf8").toArray()).join("");
		const left = new Promise((gone) => response.once("close", () => !response.writableEnded && gone(true)));
		const { method = "", url: path = "", headers } = request;
		const one: Asked = { method, path, headers, body: text ? JSON.parse(text) : {}, left };
		asked.push(one);
		const answer = path.endsWith("/chat/completions") ? nextAnswer() : pages.get(path);
		if (answer) answer(response, one);
		else response.writeHead(404).end();
	});
	return {
		origin: `http://127.0.0.1:${await portOf(t, server)}`,
		asked,
		/** Sets the answers to the next chat requests; the last one is repeated. */
		play: (...next: Answer[]) => {
			answers = next;
		},
		pages,
	};
}

export function says(...texts: string[]): Answer {
	return streams(...texts.map((content) => delta({ content })), finish("stop"));
}
export function streams(...events: unknown[]): Answer {
	return (response) => {
		begin(response);
		for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
		response.end("data: [DONE]\n\n");
	};
}

export function sends(...chunks: (string | Buffer)[]): Answer {
	return (response) => {
		begin(response);
		for (const chunk of chunks) response.write(chunk);
		response.end();
	};
}

export function zips(text: string): Answer {
	return (response) => {
		response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
		response.end(gzipSync(text, { level: 1 }));
	};
}

/** Sends one piece of an answer and leaves the connection open for `then`. */
export function stalls(content: string, then: (response: ServerResponse) => void = () => undefined): Answer {
	return (response) => {
		begin(response);
		response.write(`data: ${JSON.stringify(delta({ content }))}\n\n`, () => then(response));
	};
}

/** Writes the texts in turn every 2 ms, without end. */
export function beats(...texts: readonly string[]): Answer {
	return (response) => {
		begin(response);
		let said = 0;
		const beat = setInterval(() => response.write(texts[said++ % texts.length]), 2);
		response.once("close", () => clearInterval(beat));
	};
}

export function begin(response: ServerResponse): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
}

export function delta(part: object): object {
	return { choices: [{ index: 0, delta: part, finish_reason: null }] };
}

export function finish(reason: string): object {
	return { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
}

export function callPiece(index: number, called: { id?: string; name?: string; arguments?: string }): object {
	const { id, ...named } = called;
	return delta({
		tool_calls: [{ index, ...(id !== undefined && { id, type: "function" }), function: named }],
	});
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
	return (response) => {
		response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
	};
}
