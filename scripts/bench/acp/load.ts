import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { findCli } from "../../../src/acp/link/findCli.ts";
import { type RealCli, requestFor, runnerOn, runToEnd, startRealCli } from "../../../test/acp/realCli.ts";
import { round, summarize } from "./times.ts";

const BYTES = 13 * 1024 * 1024;
const ROUNDS = 5;

export interface Load {
	readonly megabytes: number;
	/** Milliseconds. */
	readonly ours: number;
	readonly raw: number;
	readonly ratio: number;
}

/** Measures loading a long session: through our link, and by a client that only splits and parses lines. */
export async function measureLoad(t: Pick<TestContext, "after">): Promise<Load> {
	const cli = await startRealCli(t, ({ results }) =>
		results.length > 0
			? { text: ["Read. ".repeat(200)] }
			: { calls: [{ name: "bash", input: { command: "seq 1 400", description: "Counts" } }] },
	);
	const id = await makeSession(cli);
	const file = join(cli.files.folderOf(id), "events.jsonl");
	const ours: number[] = [];
	const raw: number[] = [];
	// The first round only warms up.
	for (let n = 0; n <= ROUNDS; n++) {
		const { client, sessions } = cli.another();
		await client.ensureStarted();
		const startedAt = performance.now();
		await sessions.load(id, { cwd: cli.work, mcpServers: [] });
		ours.push(performance.now() - startedAt);
		await client.stop();
		raw.push(await loadBare(cli, id));
	}
	const [oursMs = Number.NaN, rawMs = Number.NaN] = [ours, raw].map(
		(times) => summarize(times.slice(1)).median,
	);
	return {
		megabytes: round((await stat(file)).size / 1024 / 1024),
		ours: oursMs,
		raw: rawMs,
		ratio: round(oursMs / rawMs),
	};
}

/** Makes a session that repeats one real turn with new ids. */
async function makeSession(cli: RealCli): Promise<string> {
	const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
	await runToEnd(runnerOn(cli, session, { answer: () => "once" }), requestFor("Count"));
	await cli.client.stop();
	const file = join(cli.files.folderOf(session.id), "events.jsonl");
	const lines = (await readFile(file, "utf8")).trim().split("\n");
	const first = lines.findIndex((line) => line.includes('"type":"user.message"'));
	const last = lines.findLastIndex((line) => line.includes('"type":"assistant.turn_end"'));
	const turn = lines.slice(first, last + 1).filter((line) => !line.includes('"type":"system.message"'));
	const whole = [...lines.slice(0, last + 1)];
	for (let n = 1, bytes = 0; bytes < BYTES; n++) {
		const suffix = n.toString(16).padStart(12, "0");
		const text = turn
			.map((line) =>
				line.replace(/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)[0-9a-f]{12}/g, `$1${suffix}`),
			)
			.map((line) => line.replace(/call_(\d+)_(\d+)/g, `call_$1${n}_$2`))
			.join("\n");
		whole.push(text);
		bytes += Buffer.byteLength(text);
	}
	await writeFile(file, `${whole.join("\n")}\n`);
	return session.id;
}

async function loadBare({ env, work }: RealCli, sessionId: string): Promise<number> {
	const { command } = await findCli({ setting: "", env: {}, packageFolders: [resolve(".")] });
	const child = spawn(command, ["--acp", "--stdio"], { cwd: work, env, stdio: ["pipe", "pipe", "ignore"] });
	const ended = once(child, "exit");
	const lines = createInterface({ input: child.stdout });
	const ask = (id: number, method: string, params: object) => {
		const { promise, resolve: answered } = Promise.withResolvers<void>();
		lines.on("line", (line) => {
			if ((JSON.parse(line) as { id?: number; method?: string }).id === id) answered();
		});
		child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
		return promise.finally(() => lines.removeAllListeners("line"));
	};
	await ask(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
	const startedAt = performance.now();
	await ask(2, "session/load", { sessionId, cwd: work, mcpServers: [] });
	const took = performance.now() - startedAt;
	child.stdin.end();
	await ended;
	return took;
}
