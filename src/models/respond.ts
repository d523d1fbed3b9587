import { APIError, type OpenAI } from "openai";
import { wordsOf } from "../base/http/endpointWords.ts";
import { type Persistently, streamPersistently } from "../base/http/persistent.ts";
import { readModelJson } from "../base/text/modelJson.ts";
import { visibleText } from "../base/text/visibleText.ts";
import { inTrace, readTraceparent } from "../base/traces/traceContext.ts";
import { isRecord, numberOf } from "../base/values.ts";
import type { ModelPart } from "../core/agent/agentEvent.ts";
import { boundAnswer } from "./boundAnswer.ts";
import { type AnswerLimits, bodyOf, type ChatRequest, type LimitName } from "./chatBody.ts";
import { numberAt, textAt, valueAt } from "./jsonPath.ts";
import { createThoughts } from "./thoughts.ts";
import {
	type Asked,
	brokenOff,
	malformed,
	ownWords,
	TOO_LONG,
	troubleOf,
	unreadableCall,
} from "./troubleOf.ts";

export interface ServerPorts {
	readonly client: OpenAI;
	readonly persistently: Persistently;
	readonly asked: Asked;
	readonly learned: ReturnType<typeof createLearned>;
}

const USUAL_LIMITS: AnswerLimits = { tokens: 4096, seconds: 300 };

const MOST_CALLS = 128;

/** Streams an answer within its limits. Retries while nothing has arrived. Rejects with a `ModelTrouble`. */
export function respond(ports: ServerPorts, request: ChatRequest, signal: AbortSignal) {
	const { persistently, asked } = ports;
	const failureOf = (thrown: unknown) => troubleOf(thrown, asked);
	const open = (within: AbortSignal) =>
		streamPersistently({ persistently, failureOf }, () => partsOf(ports, request, within), within);
	return boundAnswer(open, { asked, limits: request.limits ?? USUAL_LIMITS }, signal);
}

async function* partsOf(
	ports: ServerPorts,
	request: ChatRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelPart> {
	const { asked } = ports;
	// Our chat passes its span as an option, because VS Code does not preserve the trace.
	const trace = readTraceparent(request.options?.["traceparent"]);
	const chunks = await inTrace(trace, () => openStream(ports, request, signal));
	yield* withoutTools(ports, request);
	const pieces = createToolCallPieces();
	const { thinking } = ports.learned;
	const thoughts = createThoughts({
		beginsSo: thinking.has(request.model) || REASONING.test(request.model),
		onStrayEnd: () => thinking.add(request.model),
	});
	let reason: unknown;
	for await (const chunk of chunks) {
		const choice = choiceIn(chunk);
		const thought = THOUGHTS.map((name) => textAt(choice, "delta", name)).find((text) => text !== "");
		if (thought !== undefined) {
			thoughts.areApart();
			yield { kind: "thought", text: thought };
		}
		yield* thoughts.add(textOf(valueAt(choice, "delta", "content")));
		if (!pieces.add(valueAt(choice, "delta", "tool_calls")))
			throw malformed(asked, "it never stops calling tools");
		reason = valueAt(choice, "finish_reason") || reason;
		const usage = valueAt(chunk, "usage");
		if (usage) yield usageOf(usage);
	}
	// The library ends the stream silently if its request is aborted.
	signal.throwIfAborted();
	if (!reason) throw brokenOff(asked);
	yield* thoughts.rest();
	yield* pieces.calls().map((call) => toPart(call, asked));
	yield { kind: "finished", reason: String(reason) };
}

/** Names of models that always reason first. */
const REASONING = /\b(?:r1|qwq|thinking|reason(?:er|ing))\b/i;

/** Fields for reasoning: first of DeepSeek, vLLM, llama.cpp and LM Studio; second of OpenRouter and Ollama. */
const THOUGHTS = ["reasoning_content", "reasoning"];

/** Throws if the arguments of a call are not an object, because a guess could do harm. */
function toPart({ id, name, input: written }: WrittenCall, asked: Asked): ModelPart {
	const input = /^\s*(?:null)?\s*$/.test(written) ? {} : readModelJson(written);
	if (!isRecord(input)) throw unreadableCall(asked, name);
	return { kind: "toolCall", call: { id, name, input } };
}

/** The returned chunks are not validated yet. */
async function openStream(
	ports: ServerPorts,
	request: ChatRequest,
	signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
	const { client, asked } = ports;
	const { data, response } = await fewerDemands(ports, request, ({ tools, limitName }) => {
		const { tokens } = request.limits ?? USUAL_LIMITS;
		const body = bodyOf({ ...request, tools }, { name: limitName, tokens });
		return client.chat.completions.create(body, { signal }).withResponse();
	});
	if (!/\b(json|html)\b/.test(response.headers.get("content-type") ?? "")) return data;
	throw malformed(asked, `it is not a stream of events${wordsOf(await response.text(), asked.key)}`);
}

/** Some servers send several answers to one request; only the first is used. */
function choiceIn(chunk: unknown): unknown {
	const choices = valueAt(chunk, "choices");
	return Array.isArray(choices) ? choices.find((choice) => (valueAt(choice, "index") ?? 0) === 0) : undefined;
}

/** Joins the text of content, which some servers send as parts of several types. */
function textOf(content: unknown): string {
	if (typeof content === "string") return content;
	return Array.isArray(content) ? content.map((part) => textAt(part, "text")).join("") : "";
}

function usageOf(usage: unknown): ModelPart {
	const tokensOf = (name: string) => numberAt(usage, `${name}_tokens`) ?? 0;
	return { kind: "usage", inputTokens: tokensOf("prompt"), outputTokens: tokensOf("completion") };
}

type WrittenCall = Record<"id" | "name" | "input", string>;

function createToolCallPieces() {
	const begun: (WrittenCall & { readonly index: number | undefined })[] = [];
	const addOne = (piece: unknown) => {
		const [index, id] = [numberOf(piece, "index"), textAt(piece, "id")];
		const open = begun.findLast((call) => index === undefined || call.index === index);
		// A new id also starts a new call, because some servers use index 0 for every call.
		const isNew = !open || (id !== "" && open.id !== "" && id !== open.id);
		const call = isNew ? { index, id: "", name: "", input: "" } : open;
		if (isNew) begun.push(call);
		call.id ||= id;
		call.name ||= textAt(piece, "function", "name");
		call.input += argumentsOf(piece);
	};
	return {
		add: (pieces: unknown) => {
			for (const piece of Array.isArray(pieces) ? pieces : []) {
				addOne(piece);
				if (begun.length > MOST_CALLS) return false;
			}
			return true;
		},
		calls: () =>
			begun
				.filter(({ name }) => name !== "")
				.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
				.map((call) => ({ ...call, id: call.id || `call_${crypto.randomUUID()}` })),
	};
}

/** Returns arguments as JSON text, because some servers send an object instead. */
function argumentsOf(piece: unknown): string {
	const written = valueAt(piece, "function", "arguments");
	return isRecord(written) ? JSON.stringify(written) : textAt(piece, "function", "arguments");
}

/** Parts of requests that the server refused, by model. */
export function createLearned() {
	return {
		withoutTools: new Map<string, string>(),
		limitNames: new Map<string, LimitName>(),
		/** Models whose reasoning lacks an opening tag. */
		thinking: new Set<string>(),
	};
}

/** Retries a request without the part that the server refused. Later requests omit that part at once. */
async function fewerDemands<Answer>(
	ports: ServerPorts,
	request: ChatRequest,
	send: (demands: { tools: ChatRequest["tools"]; limitName: LimitName }) => Promise<Answer>,
): Promise<Answer> {
	const { asked, learned } = ports;
	const { model } = request;
	const limitName = learned.limitNames.get(model) ?? "max_tokens";
	const tools = learned.withoutTools.has(model) && mayDropTools(request) ? [] : request.tools;
	try {
		return await send({ tools, limitName });
	} catch (thrown) {
		const words = refusalOf(thrown, asked);
		if (limitName === "max_tokens" && /max_completion_tokens/.test(words)) {
			learned.limitNames.set(model, "max_completion_tokens");
			return fewerDemands(ports, request, send);
		}
		if (tools.length === 0 || !ABOUT_TOOLS.test(words) || !mayDropTools(request)) throw thrown;
		const answer = await send({ tools: [], limitName });
		learned.withoutTools.set(model, words);
		return answer;
	}
}

function mayDropTools({ messages, mustCall = false }: ChatRequest): boolean {
	return !mustCall && messages.every(({ role }) => role !== "tool");
}

const ABOUT_TOOLS = /\b(tools?|functions?)\b/i;
/** HTTP statuses about access, time, size and rate limits: the server did not refuse a field of the request. */
const OTHERS = new Set([401, 403, 408, 413, 429]);

function refusalOf(thrown: unknown, asked: Asked): string {
	if (!(thrown instanceof APIError) || thrown.status === undefined || OTHERS.has(thrown.status)) return "";
	const words = ownWords(thrown, asked);
	// A message about a prompt that is too long may mention tools, but does not refuse them.
	return TOO_LONG.test(words) ? "" : words;
}

function* withoutTools({ asked, learned }: ServerPorts, request: ChatRequest): Generator<ModelPart> {
	const words = learned.withoutTools.get(request.model);
	if (words === undefined || request.tools.length === 0 || !mayDropTools(request)) return;
	const text = `"${visibleText(request.model)}" on ${asked.base} was asked without tools, which the server refuses${words}. It answers from what one search found.`;
	yield { kind: "notice", text };
}
