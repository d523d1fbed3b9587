import { createInterface } from "node:readline";

/**
 * ACP agent for behavior that the Copilot CLI cannot be made to show. Its first argument selects how it starts;
 * the text of a prompt selects its next act. It implements only the protocol that the tests need.
 */
const [, , beginning = ""] = process.argv;
const MEGABYTE = "x".repeat(1024 * 1024);

interface Incoming {
	readonly id?: number;
	readonly method?: string;
	readonly params?: { prompt?: readonly { text?: string }[]; _meta?: { traceparent?: string } };
}

function send(message: object): void {
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function update(fields: object): void {
	send({ method: "session/update", params: { sessionId: "s1", update: fields } });
}

const say = (text: string) =>
	update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

function call(id: string, fields: object): void {
	update({ sessionUpdate: "tool_call_update", toolCallId: id, ...fields });
}

function run(toolCallId: string, command: string, result: object = {}): void {
	const announced = { toolCallId, title: "Run", kind: "execute", rawInput: { command } };
	update({ sessionUpdate: "tool_call", ...announced });
	call(toolCallId, { status: "completed", ...result });
}

/** Acts by prompt; the turn ends afterwards unless an act returns "no end". */
const acts: Readonly<Record<string, () => unknown>> = {
	garbage: () => {
		process.stdout.write('{"jsonrpc":\nnot json at all\n\n[]\n"text"\n');
		update({ sessionUpdate: "brand_new_kind", wonder: [1, 2, 3] });
		update({ sessionUpdate: "tool_call", title: "without an id" });
		update({ sessionUpdate: "agent_message_chunk", content: { type: "hologram" }, extra: true });
		for (const params of [{ sessionId: "s1" }, { sessionId: "nobody", update: { sessionUpdate: "plan" } }])
			send({ method: "session/update", params });
		send({ method: "another/notification" });
		say("Still here.");
	},
	flood: () => {
		update({ sessionUpdate: "tool_call", toolCallId: "c1", title: "Flood", kind: "execute", rawInput: {} });
		for (let n = 1; n <= 50; n++)
			call("c1", { content: [{ type: "content", content: { type: "text", text: `${n} ${MEGABYTE}` } }] });
		call("c1", { status: "completed" });
	},
	unasked: () => {
		run("c2", "rm -rf build", { rawOutput: { content: "gone" } });
		return "no end";
	},
	looks: () => run("c3", "git status"),
	traced: () => say(traceparent ?? "none"),
	deaf: () => "no end",
};

function answer({ id, method, params }: Incoming): void {
	if (method === "initialize") initialize(id);
	else if (method === "session/new") send({ id, result: { sessionId: "s1" } });
	else if (method === "session/prompt") {
		traceparent = params?._meta?.traceparent;
		prompt(id, params?.prompt?.at(-1)?.text ?? "");
	} else if (method === "session/cancel") {
		if (!isDeaf) send({ id: openPrompt, result: { stopReason: "cancelled" } });
	} else if (id !== undefined && method) send({ id, error: { code: -32601, message: "Method not found" } });
}

function initialize(id: number | undefined): void {
	if (beginning === "mute") return;
	if (beginning === "dies") process.exit(7);
	send({ id, result: { protocolVersion: beginning === "old" ? 0 : 1, agentCapabilities: {} } });
}

let openPrompt: number | undefined;
let isDeaf = false;
let traceparent: string | undefined;

function prompt(id: number | undefined, text: string): void {
	openPrompt = id;
	isDeaf = text === "deaf";
	if (acts[text]?.() === "no end") return;
	send({ id, result: { stopReason: "end_turn" } });
}

// Ignores its closed input and the first signal: only SIGKILL ends it.
if (beginning === "stubborn") {
	process.on("SIGTERM", () => undefined);
	setInterval(() => undefined, 1000);
}

createInterface({ input: process.stdin }).on("line", (line) => answer(JSON.parse(line) as Incoming));
