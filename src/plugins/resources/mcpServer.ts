import { Failure } from "../../base/failure.ts";
import { type ConfinedAnswer, type ConfinedRequest, sendConfined } from "../../base/http/confinedRequest.ts";
import { fieldOf, isRecord, listOf, parseJson, textOf } from "../../base/values.ts";

export interface OpenResource {
	/** Calls a tool; only for MCP servers. Rejects with a `Failure`. */
	callTool?(tool: string, input: object, signal: AbortSignal): Promise<string>;
	close(): Promise<void>;
}

const VERSION = "2025-06-18";
const MAX_BYTES = 256_000;

/** A minimal client of the Model Context Protocol. Its requests only go to the plugin's hosts. */
export async function openMcpServer(to: ConfinedRequest, signal: AbortSignal): Promise<OpenResource> {
	let session: string | undefined;
	let last = 0;
	const send = (method: string, body: object | undefined, until: AbortSignal) => {
		const known = session === undefined ? {} : { "mcp-session-id": session, "mcp-protocol-version": VERSION };
		const headers = { ...TYPES, ...known, ...to.headers };
		const sent = body && { body: JSON.stringify({ jsonrpc: "2.0", ...body }) };
		return sendConfined({ ...to, method, headers, maxBytes: MAX_BYTES, ...sent }, until);
	};
	const ask = async (method: string, params: object, until: AbortSignal) => {
		const id = ++last;
		const answer = await send("POST", { id, method, params }, until);
		return { answer, result: answer.status < 400 ? resultIn(answer, id) : undefined };
	};
	const greet = async (until: AbortSignal) => {
		session = undefined;
		const { answer, result } = await ask("initialize", GREETING, until);
		if (!isRecord(result)) throw failed(to, `it answers with ${answer.status}, and not like an MCP server`);
		session = answer.session;
		await send("POST", { method: "notifications/initialized" }, until);
	};
	const call = (tool: string, input: object, until: AbortSignal) =>
		ask("tools/call", { name: tool, arguments: input }, until);
	await greet(signal);
	return {
		callTool: async (tool, input, until) => {
			let said = await call(tool, input, until);
			// The server has ended the session without running the tool: start a new session.
			if (said.answer.status === 404 && session !== undefined) {
				await greet(until);
				said = await call(tool, input, until);
			}
			if (said.answer.status >= 400) throw failed(to, `it answers with ${said.answer.status}`);
			return textIn(said.result, tool);
		},
		close: async () => {
			if (session !== undefined) await send("DELETE", undefined, AbortSignal.timeout(GOODBYE_MS));
		},
	};
}

const GOODBYE_MS = 2000;
const TYPES = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const GREETING = {
	protocolVersion: VERSION,
	capabilities: {},
	clientInfo: { name: "copilot-ld", version: VERSION },
};

/** Returns the result of the request `id`. Other messages of the server may precede the result. */
function resultIn({ type, text }: ConfinedAnswer, id: number): unknown {
	const written = type === "text/event-stream" ? eventsIn(text) : [text];
	const message = written.map(parseJson).find((one) => fieldOf(one, "id") === id);
	const error = fieldOf(message, "error");
	if (error === undefined) return fieldOf(message, "result");
	const reason = textOf(error, "message") ?? "no reason given";
	throw new Failure("ENDPOINT_FAILED", `The MCP server refused: ${reason}`);
}

function eventsIn(text: string): string[] {
	return text.split(/\r?\n\r?\n/).map((event) =>
		event
			.split(/\r?\n/)
			.flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length).trimStart()] : []))
			.join("\n"),
	);
}

function textIn(result: unknown, tool: string): string {
	const words = listOf(result, "content").flatMap((part) => textOf(part, "text") ?? []);
	const structured = fieldOf(result, "structuredContent");
	const text = words.join("\n\n") || (structured === undefined ? "" : JSON.stringify(structured));
	if (fieldOf(result, "isError") !== true) return text;
	throw new Failure("ENDPOINT_FAILED", `The tool ${tool} failed: ${text || "it does not say why"}`);
}

function failed({ url }: ConfinedRequest, why: string): Failure {
	return new Failure("ENDPOINT_FAILED", `${url.host} cannot be asked: ${why}.`);
}
