import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { createMutex } from "../../src/base/jobs/mutex.ts";

interface Completing {
	readonly maxTokens: number;
	readonly signal: AbortSignal;
	readonly stopOnAbortSignal: true;
	onTextChunk(text: string): void;
}

/** The part of node-llama-cpp that we use. */
interface Llama {
	loadModel(options: { readonly modelPath: string }): Promise<{
		tokenize(text: string): readonly number[];
		createContext(options: object): Promise<{ getSequence(): { clearHistory(): Promise<void> } }>;
	}>;
}

interface LlamaModule {
	getLlama(options: object): Promise<Llama>;
	readonly LlamaCompletion: new (
		options: object,
	) => {
		generateCompletionWithMeta(
			tokens: readonly number[],
			options: Completing,
		): Promise<{ readonly metadata: { readonly stopReason: string } }>;
	};
}

interface Asked {
	readonly messages: readonly { readonly role: string; readonly content: string }[];
	readonly max_tokens: number;
}

const CONTEXT = 16_384;
const [modelPath = "", folder = ""] = process.argv.slice(2);
const entry = pathToFileURL(join(folder, "node_modules", "node-llama-cpp", "dist", "index.js"));
const { getLlama, LlamaCompletion }: LlamaModule = await import(entry.href);
// One thread only: with more threads than free cores, each token waits for all of them.
const llama = await getLlama({ gpu: false, build: "never", logLevel: "error", maxThreads: 1 });
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ contextSize: CONTEXT, threads: 1 });
const contextSequence = context.getSequence();
const completion = new LlamaCompletion({ contextSequence });
const oneByOne = createMutex();
const done = { generated: 0, cancelled: 0 };

/** Serves llama.cpp through the part of OpenAI's protocol that we use, one request at a time. */
const server = createServer(async (request, response) => {
	const { url } = request;
	if (url === "/done") return send(response, done);
	if (url === "/v1/models") return send(response, { data: [{ id: "tiny", max_model_len: CONTEXT }] });
	if (url !== "/v1/chat/completions") return send(response, {}, 404);
	const asked = (await json(request)) as Asked;
	await oneByOne.run(() => answer(asked, response));
});

async function answer({ messages, max_tokens: maxTokens }: Asked, response: ServerResponse): Promise<void> {
	const tokens = model.tokenize(messages.map(({ role, content }) => `${role}: ${content}\n`).join(""));
	const gone = new AbortController();
	response.once("close", () => gone.abort());
	response.writeHead(200, { "content-type": "text/event-stream" });
	const event = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`);
	let said = 0;
	const onTextChunk = (content: string) => {
		said += model.tokenize(content).length;
		event({ choices: [{ index: 0, delta: { content } }] });
	};
	const options = { maxTokens, signal: gone.signal, stopOnAbortSignal: true, onTextChunk } as const;
	await contextSequence.clearHistory();
	const { metadata } = await completion.generateCompletionWithMeta(tokens, options);
	done.generated += said;
	if (metadata.stopReason === "abort") done.cancelled += 1;
	const reason = metadata.stopReason === "maxTokens" ? "length" : "stop";
	event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
	const usage = { prompt_tokens: tokens.length, completion_tokens: reason === "length" ? maxTokens : said };
	event({ choices: [], usage });
	response.end("data: [DONE]\n\n");
}

function send(response: ServerResponse, body: object, status = 200): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

await once(server.listen(0, "127.0.0.1"), "listening");
process.send?.((server.address() as AddressInfo).port);
process.once("disconnect", () => process.exit());
