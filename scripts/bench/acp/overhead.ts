import { PassThrough, Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import type { AgentLink } from "../../../src/acp/link/acpClient.ts";
import { createAcpClient } from "../../../src/acp/link/acpClient.ts";
import { createSessionFiles } from "../../../src/acp/stored/storedSessions.ts";
import { createCliSessions } from "../../../src/acp/turn/session/cliSessions.ts";
import { requestFor, runnerOn } from "../../../test/acp/realCli.ts";
import { summarize, type Times } from "./times.ts";

const UPDATES = 5000;
const PER_SECOND = 1000;

/** Measures the time from a line on the agent's stdout to the runner's event, at 1,000 lines a second. */
export async function measureOverhead(): Promise<Times> {
	const written: number[] = [];
	const open = async () => inProcessAgent(() => written.push(performance.now()));
	const client = createAcpClient({ open, version: "0.0.0" });
	const files = createSessionFiles("/nowhere");
	const sessions = createCliSessions({ client, files, mayAllowAll: async () => false });
	const session = await sessions.create({ cwd: "/", mcpServers: [] });
	const times: number[] = [];
	const never = new AbortController().signal;
	for await (const event of runnerOn({}, session)(requestFor("Go"), never)) {
		if (event.kind === "text") times.push(performance.now() - (written[times.length] ?? 0));
	}
	await client.stop();
	return summarize(times);
}

/** An agent in this process: it exchanges protocol bytes with us, without the scheduler of the system. */
function inProcessAgent(onWrite: () => void): AgentLink {
	const input = new PassThrough();
	const output = new PassThrough();
	const send = (message: object) => output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	input.on("data", async (bytes: Buffer) => {
		const { id, method } = JSON.parse(bytes.toString()) as { id: number; method: string };
		if (method === "initialize") send({ id, result: { protocolVersion: 1 } });
		if (method === "session/new") send({ id, result: { sessionId: "s1" } });
		if (method !== "session/prompt") return;
		await speak(send, onWrite);
		send({ id, result: { stopReason: "end_turn" } });
	});
	return {
		stream: ndJsonStream(Writable.toWeb(input), Readable.toWeb(output)),
		closed: new Promise(() => undefined),
		stop: async () => undefined,
	};
}

async function speak(send: (message: object) => void, onWrite: () => void): Promise<void> {
	const startedAt = performance.now();
	for (let n = 0; n < UPDATES; n++) {
		const early = startedAt + (n * 1000) / PER_SECOND - performance.now();
		if (early > 0) await delay(early);
		const content = { type: "text", text: `Word ${n} of the answer. ` };
		onWrite();
		send({
			method: "session/update",
			params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content } },
		});
	}
}
