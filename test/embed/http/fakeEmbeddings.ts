import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import { portOf } from "../../support/listening.ts";

export interface Asked {
	readonly path: string;
	readonly headers: IncomingMessage["headers"];
	readonly model: string;
	readonly input: readonly string[];
	readonly dimensions?: number;
}

export type Answer = (asked: Asked, response: ServerResponse) => void;

type FakeEmbeddings = Awaited<ReturnType<typeof serveEmbeddings>>;

export const DIMENSIONS = 256;

/** Serves OpenAI's embeddings protocol locally; the vectors are word counts. */
export async function serveEmbeddings(t: TestContext, answer: Answer = answerWell) {
	const asked: Asked[] = [];
	const server = createServer(async (request, response) => {
		const body = JSON.parse((await request.setEncoding("utf8").toArray()).join("") || "{}");
		const one: Asked = { path: request.url ?? "", headers: request.headers, ...body };
		asked.push(one);
		fake.answer(one, response);
	});
	const port = await portOf(t, server);
	const fake = {
		endpoint: `http://127.0.0.1:${port}/v1`,
		asked,
		answer,
		/** Refuses new connections and closes open ones. */
		stop: () => {
			server.close();
			server.closeAllConnections();
		},
		start: () => once(server.listen(port, "127.0.0.1"), "listening"),
	};
	return fake;
}

/** Answers in reverse order: `index` says which text a vector belongs to. */
export const answerWell: Answer = ({ input, model, dimensions }, response) => {
	const vectors = input.map((text) => [...vectorOf(text, model, dimensions)]);
	const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
	sendJson(response, { object: "list", model, data: data.reverse() });
};

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Word counts by hash: texts with the same words are near, vectors of two models are unrelated. Not normalized. */
export function vectorOf(text: string, model: string, dimensions = DIMENSIONS): Float32Array {
	const vector = new Float32Array(dimensions);
	for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
		const place = createHash("sha256").update(`${model} ${word}`).digest().readUInt32LE() % dimensions;
		vector[place] = (vector[place] ?? 0) + 1;
	}
	return vector;
}

/** Delays answers about passages after a number of requests, until the returned function is called. */
export function holdAfter(fake: FakeEmbeddings, requests: number): () => void {
	const held = Promise.withResolvers<void>();
	fake.answer = async (asked, response) => {
		if (fake.asked.length > requests && asked.input.length > 1) await held.promise;
		answerWell(asked, response);
	};
	return held.resolve;
}
