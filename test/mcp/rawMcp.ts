import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { MCP_PROGRAM } from "../support/programs.ts";

interface Answer {
	readonly id: number | string | null;
	readonly error?: { readonly code: number; readonly message: string };
	readonly result?: { readonly content?: readonly { readonly text: string }[] };
}

export type RawMcp = ReturnType<typeof startRawMcp>;

export function startRawMcp(
	{ root, dataFolder }: { readonly root: string; readonly dataFolder?: string },
	more: Readonly<Record<string, string>> = {},
) {
	const args = [MCP_PROGRAM, "--workspace", root, ...(dataFolder ? ["--data", dataFolder] : [])];
	const env = { ...process.env, ...more };
	const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"], env });
	// A pipe that breaks is what some tests are about.
	child.stdin.on("error", () => undefined);
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const write = async (bytes: string | Uint8Array) => {
		if (!child.stdin.write(bytes)) await once(child.stdin, "drain");
	};
	const send = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	const next = async (): Promise<Answer> => JSON.parse((await lines.next()).value ?? "null");
	return {
		...{ child, write, next },
		introduce: async () => {
			const clientInfo = { name: "raw", version: "1" };
			const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
			await send({ id: 1, method: "initialize", params });
			const answer = await next();
			await send({ method: "notifications/initialized" });
			return answer;
		},
		search: async (id: number, query: string) => {
			const params = { name: "search_knowledge", arguments: { query } };
			await send({ id, method: "tools/call", params });
			return next();
		},
	};
}
