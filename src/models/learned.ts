import { APIError } from "openai";
import { visibleText } from "../base/text/visibleText.ts";
import type { ModelPart } from "../core/agent/agentEvent.ts";
import type { ChatRequest, LimitName } from "./chatBody.ts";
import { type Asked, ownWords, TOO_LONG } from "./troubleOf.ts";

/** Parts of requests that the server refused, by model. */
export type Learned = ReturnType<typeof createLearned>;

export function createLearned() {
	return {
		withoutTools: new Map<string, string>(),
		limitNames: new Map<string, LimitName>(),
		/** Models whose reasoning lacks an opening tag. */
		thinking: new Set<string>(),
	};
}

type LearnPorts = Readonly<{ asked: Asked; learned: Learned }>;

/** Retries a request without the part that the server refused. Later requests omit that part at once. */
export async function fewerDemands<Answer>(
	{ asked, learned }: LearnPorts,
	request: ChatRequest,
	send: (demands: { tools: ChatRequest["tools"]; limitName: LimitName }) => Promise<Answer>,
): Promise<Answer> {
	const { model } = request;
	const limitName = learned.limitNames.get(model) ?? "max_tokens";
	const tools = learned.withoutTools.has(model) && mayDropTools(request) ? [] : request.tools;
	try {
		return await send({ tools, limitName });
	} catch (thrown) {
		const words = refusalOf(thrown, asked);
		if (limitName === "max_tokens" && /max_completion_tokens/.test(words)) {
			learned.limitNames.set(model, "max_completion_tokens");
			return fewerDemands({ asked, learned }, request, send);
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

export function* withoutTools({ asked, learned }: LearnPorts, request: ChatRequest): Generator<ModelPart> {
	const words = learned.withoutTools.get(request.model);
	if (words === undefined || request.tools.length === 0 || !mayDropTools(request)) return;
	const text = `"${visibleText(request.model)}" on ${asked.base} was asked without tools, which the server refuses${words}. It answers from what one search found.`;
	yield { kind: "notice", text };
}
