import { resolve } from "node:path";
import type { TestContext } from "node:test";
import { begin, callPiece, delta, finish, json, scriptedServer, streams } from "../models/scriptedServer.ts";

/** Shared folder in which the CLI unpacks itself, which takes seconds and hundreds of megabytes. */
const CLI_CACHE = resolve(process.env["COPILOT_LD_ROOT"] ?? ".", "out/copilot");

export interface ScriptedReply {
	readonly text?: readonly string[];
	readonly thought?: string;
	readonly calls?: readonly { readonly name: string; readonly input: object }[];
	/** HTTP status to answer with instead of a reply. */
	readonly status?: number;
	/** Breaks the connection after the text. */
	readonly cut?: boolean;
	/** Sends nothing after the text, until the client cancels the request. */
	readonly wait?: boolean;
}

export interface SeenRequest {
	/** Text of the last user message. */
	readonly question: string;
	readonly results: readonly string[];
	readonly tools: readonly string[];
	readonly whole: string;
}

/** Calls the commands after `@@run` in a question, joined by `@@and`; `undefined` after their results. */
export function commandsIn({ question, results }: SeenRequest): ScriptedReply | undefined {
	const [, lines] = /@@run ([^\n]*)/.exec(question) ?? [];
	if (lines === undefined || results.length > 0) return undefined;
	return { calls: lines.split(" @@and ").flatMap((command) => bash(command).calls) };
}

export const called = (name: string, input: object) => ({ calls: [{ name, input }] });
export const bash = (command: string) => called("bash", { command, description: "Runs it" });
export const TASK = called("task", {
	...{ agent_type: "general-purpose", description: "d", name: "n", prompt: "p", mode: "sync" },
});

export type ScriptedModelServer = Awaited<ReturnType<typeof startModelServer>>;

export async function startModelServer(
	t: Pick<TestContext, "after">,
	reply: (request: SeenRequest) => ScriptedReply,
) {
	const requests: SeenRequest[] = [];
	let waits = Promise.withResolvers<void>();
	const { origin, play } = await scriptedServer(t);
	play((response, asked) => {
		const request = toSeen(asked.body as WireRequest);
		requests.push(request);
		const scripted = reply(request);
		toAnswer(scripted)(response, asked);
		if (scripted.wait) waits.resolve();
	});
	return {
		/** Environment that makes the CLI use this model and no network. */
		env: {
			COPILOT_CACHE_HOME: CLI_CACHE,
			COPILOT_OFFLINE: "true",
			COPILOT_AUTO_UPDATE: "false",
			COPILOT_MODEL: "scripted",
			COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
		},
		requests,
		/** Resolves when the model waits for the client to cancel a request. */
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

function toAnswer({
	text = [],
	thought,
	calls = [],
	status,
	cut,
	wait,
}: ScriptedReply): ReturnType<typeof json> {
	if (status !== undefined) return json({ error: { message: `Scripted ${status}` } }, status);
	const said = text.map((content) => delta({ role: "assistant", content }));
	if (thought) said.unshift(delta({ reasoning_content: thought }));
	if (wait || cut)
		return (response) => {
			begin(response);
			for (const event of said) response.write(`data: ${JSON.stringify(event)}\n\n`);
			// Lets the written text be sent before the connection breaks.
			if (cut) setImmediate(() => response.destroy());
		};
	const pieces = calls.map(({ name, input }, index) =>
		callPiece(index, { id: `call_${Date.now()}_${index}`, name, arguments: JSON.stringify(input) }),
	);
	const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
	const end = finish(calls.length > 0 ? "tool_calls" : "stop");
	return streams(...said, ...pieces, end, { choices: [], usage });
}
