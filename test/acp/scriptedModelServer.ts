import { createServer, type ServerResponse } from "node:http";
import { resolve } from "node:path";
import { json } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { portOf } from "../support/listening.ts";

/** Where the CLI unpacks itself, once for all tests: that takes seconds, and is hundreds of megabytes. */
export const CLI_CACHE = resolve(process.env["COPILOT_LD_ROOT"] ?? ".", "out/copilot");

export interface ScriptedReply {
	readonly text?: readonly string[];
	readonly thought?: string;
	readonly calls?: readonly { readonly name: string; readonly input: object }[];
	/** Answers with this HTTP status in place of a reply. */
	readonly status?: number;
	/** Breaks the connection after the text. */
	readonly cut?: boolean;
	/** Says no more after the text, until the request is given up. */
	readonly wait?: boolean;
}

export interface SeenRequest {
	/** The text of the last message of the user. */
	readonly question: string;
	/** Results of tools since then. */
	readonly results: readonly string[];
	readonly tools: readonly string[];
	/** All of the request's messages as JSON. */
	readonly whole: string;
}

/** Runs the commands after `@@run` in a question, which `@@and` joins; `undefined` once their results are there. */
export function commandsIn({ question, results }: SeenRequest): ScriptedReply | undefined {
	const [, lines] = /@@run ([^\n]*)/.exec(question) ?? [];
	if (lines === undefined || results.length > 0) return undefined;
	const call = (command: string) => ({ name: "bash", input: { command, description: "Runs it" } });
	return { calls: lines.split(" @@and ").map(call) };
}

export interface ScriptedModelServer {
	/** The environment in which the CLI uses this model, and no network. */
	readonly env: Readonly<Record<string, string>>;
	readonly requests: readonly SeenRequest[];
	/** Resolves when the model waits for a request to be given up. */
	waiting(): Promise<void>;
}

export async function startModelServer(
	t: Pick<TestContext, "after">,
	reply: (request: SeenRequest) => ScriptedReply,
): Promise<ScriptedModelServer> {
	const requests: SeenRequest[] = [];
	let waits = Promise.withResolvers<void>();
	const server = createServer(async (incoming, response) => {
		const request = toSeen((await json(incoming)) as WireRequest);
		requests.push(request);
		const scripted = reply(request);
		send(response, scripted);
		if (scripted.wait) waits.resolve();
	});
	const port = await portOf(t, server);
	return {
		env: {
			COPILOT_CACHE_HOME: CLI_CACHE,
			COPILOT_OFFLINE: "true",
			COPILOT_AUTO_UPDATE: "false",
			COPILOT_MODEL: "scripted",
			COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
		},
		requests,
		waiting: async () => {
			await waits.promise;
			waits = Promise.withResolvers();
		},
	};
}

interface WireMessage {
	readonly role: string;
	readonly content?: string | readonly { readonly text?: string }[];
}

interface WireRequest {
	readonly messages?: WireMessage[];
	readonly tools?: readonly { readonly function?: { readonly name: string } }[];
}

function toSeen({ messages = [], tools = [] }: WireRequest): SeenRequest {
	const last = messages.findLastIndex(({ role }) => role === "user");
	const results = messages.slice(last + 1).filter(({ role }) => role === "tool");
	return {
		question: textOf(messages[last]),
		results: results.map(textOf),
		tools: tools.flatMap((tool) => tool.function?.name ?? []),
		whole: JSON.stringify(messages),
	};
}

function textOf(message: WireMessage | undefined): string {
	const content = message?.content ?? "";
	return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}

function send(response: ServerResponse, reply: ScriptedReply): void {
	if (reply.status !== undefined) {
		response.writeHead(reply.status, { "content-type": "application/json" });
		response.end(JSON.stringify({ error: { message: `Scripted ${reply.status}` } }));
		return;
	}
	response.writeHead(200, { "content-type": "text/event-stream" });
	const event = (choice: object) =>
		response.write(
			`data: ${JSON.stringify({ id: "scripted", object: "chat.completion.chunk", model: "scripted", choices: [choice] })}\n\n`,
		);
	if (reply.thought) event({ index: 0, delta: { reasoning_content: reply.thought } });
	for (const content of reply.text ?? []) event({ index: 0, delta: { role: "assistant", content } });
	if (reply.wait) return;
	if (reply.cut) {
		// What was written goes out before the connection breaks.
		setImmediate(() => response.destroy());
		return;
	}
	for (const [index, { name, input }] of (reply.calls ?? []).entries()) {
		const call = { name, arguments: JSON.stringify(input) };
		const id = `call_${Date.now()}_${index}`;
		event({ index: 0, delta: { tool_calls: [{ index, id, type: "function", function: call }] } });
	}
	event({ index: 0, delta: {}, finish_reason: reply.calls ? "tool_calls" : "stop" });
	const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
	response.write(
		`data: ${JSON.stringify({ id: "scripted", object: "chat.completion.chunk", choices: [], usage })}\n\n`,
	);
	response.end("data: [DONE]\n\n");
}
