import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { AGENT_METHODS } from "@agentclientprotocol/sdk";
import { type SeenRequest, startModelServer } from "../../test/acp/scriptedModelServer.ts";

/** Reactions of the CLI after one call of every method. */
interface Seen {
	/** Methods that the CLI does not support. */
	readonly unknown: ReadonlySet<string>;
	/** Methods that the CLI called. */
	readonly calls: ReadonlySet<string>;
	/** Kinds of updates that the CLI sent. */
	readonly updates: ReadonlySet<string>;
}

interface Message {
	readonly id?: number;
	readonly method?: string;
	readonly params?: { readonly update?: { readonly sessionUpdate?: string } };
	readonly error?: { readonly code: number };
	readonly result?: { readonly sessionId?: string };
}

const METHOD_NOT_FOUND = -32601;
const MODES = "https://agentclientprotocol.com/protocol/session-modes#";

/** Speaks the protocol with a CLI directly, without our client code. */
export async function askCli(command: string): Promise<Seen> {
	const folder = await mkdtemp(join(tmpdir(), "acp-ledger-"));
	const cleanups: (() => unknown)[] = [];
	const model = await startModelServer(
		{ after: (clean) => void cleanups.push(clean as () => unknown) },
		(request) => work(request, folder),
	);
	const env = { PATH: process.env["PATH"], HOME: folder, ...model.env, COPILOT_HOME: join(folder, "home") };
	const child = spawn(command, ["--acp", "--stdio"], { cwd: folder, env, stdio: ["pipe", "pipe", "ignore"] });
	const ended = once(child, "exit");
	const wire = createWire(child.stdin, (listener) =>
		createInterface({ input: child.stdout }).on("line", listener),
	);
	try {
		await askEverything(wire, folder);
	} finally {
		child.stdin.end();
		await ended;
		for (const clean of cleanups) await clean();
		await rm(folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
	}
	return wire;
}

async function askEverything({ ask, unknown }: ReturnType<typeof createWire>, folder: string): Promise<void> {
	await ask("initialize", { protocolVersion: 1, clientCapabilities: ALL_CAPABILITIES });
	const session = await ask("session/new", { cwd: folder, mcpServers: [] });
	const sessionId = session.result?.sessionId;
	const prompt = [{ type: "text", text: "Do your work." }];
	await ask("session/prompt", { sessionId, prompt });
	await ask("session/set_mode", { sessionId, modeId: `${MODES}plan` });
	await ask("session/close", { sessionId });
	await ask("session/load", { sessionId, cwd: folder, mcpServers: [] });
	for (const method of Object.values(AGENT_METHODS)) {
		// A notification gets no answer.
		if (method === "session/cancel") continue;
		const { error } = await ask(method, { sessionId: "none" });
		if (error?.code === METHOD_NOT_FOUND) unknown.add(method);
	}
}

const ALL_CAPABILITIES = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };

function createWire(input: NodeJS.WritableStream, listen: (listener: (line: string) => void) => void) {
	const unknown = new Set<string>();
	const calls = new Set<string>();
	const updates = new Set<string>();
	const pending = new Map<number, (message: Message) => void>();
	const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	listen((line) => {
		const message = JSON.parse(line) as Message;
		const { id, method, params } = message;
		if (params?.update?.sessionUpdate) updates.add(params.update.sessionUpdate);
		else if (method) calls.add(method);
		if (method && id !== undefined)
			send({ id, result: { outcome: { outcome: "selected", optionId: "allow_once" } } });
		if (!method && id !== undefined) pending.get(id)?.(message);
	});
	let last = 0;
	const ask = (method: string, params: object): Promise<Message> =>
		new Promise((resolve) => {
			pending.set(++last, resolve);
			send({ id: last, method, params });
		});
	return { unknown, calls, updates, ask };
}

/** Scripts the model: one tool call after the other, then the answer. */
function work({ results }: SeenRequest, folder: string) {
	const calls = [
		{ name: "bash", input: { command: "echo hello", description: "Says hello" } },
		{ name: "create", input: { path: join(folder, "new.txt"), file_text: "new\n" } },
		{
			name: "sql",
			input: { query: "INSERT INTO todos (id, title) VALUES ('a', 'Look')", description: "Plans" },
		},
	];
	const call = calls[results.length];
	return call ? { thought: "Hm.", calls: [call] } : { text: ["Done."] };
}
