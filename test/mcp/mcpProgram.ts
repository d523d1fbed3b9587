import { execFile } from "node:child_process";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
	type CallToolResult,
	CallToolResultSchema,
	type CreateMessageRequest,
	CreateMessageRequestSchema,
	type CreateMessageResult,
	type CreateMessageResultWithTools,
	type ElicitRequestFormParams,
	ElicitRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { SearchResult } from "../../src/core/knowledge/knowledge.ts";
import { MCP_PROGRAM } from "../support/programs.ts";
import { untilIt } from "../support/untilIt.ts";
import type { Files, Workspace } from "../worker/workspace.ts";

export const LIGHTHOUSE: Files = {
	"lighthouses.md": "# Lighthouses\n\nThe lamp of Skagen is lit at dusk.\n",
};

export const KEEPER: Files = {
	"people.ttl": `@prefix s: <https://schema.org/> .
<https://example.org/anna> a s:Person ; s:name "Anna Holm" ; s:jobTitle "Keeper of the lamp" .
`,
};

export type McpProgram = Awaited<ReturnType<typeof startMcp>>;

interface StartOptions extends Pick<Workspace, "root">, Partial<Pick<Workspace, "dataFolder">> {
	readonly env?: Readonly<Record<string, string>>;
	/** Whether the client's user allows a call; if omitted, the client does not support elicitation. */
	readonly elicit?: (asked: ElicitRequestFormParams) => boolean;
	/** The answer of the client's model; if omitted, the client lends no model. */
	readonly sample?: (request: CreateMessageRequest["params"]) => CreateMessageResult;
	readonly sampleWithTools?: (request: CreateMessageRequest["params"]) => CreateMessageResultWithTools;
}

/** Replaces the client's timeout of one minute, in which a slow machine may not even start the worker. */
const PATIENCE_MS = 10 * 60_000;

/** Starts the real program as a process, with the SDK's client. */
export async function startMcp(
	t: TestContext,
	{ root, dataFolder, env, sample, sampleWithTools, elicit }: StartOptions,
	...more: string[]
) {
	const transport = new StdioClientTransport({
		command: process.execPath,
		args: [MCP_PROGRAM, "--workspace", root, ...(dataFolder ? ["--data", dataFolder] : []), ...more],
		stderr: "pipe",
		// The transport passes on little of our environment; without this, each program compiles all of its code.
		env: { ...getDefaultEnvironment(), NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "", ...env },
	});
	let errors = "";
	transport.stderr?.on("data", (chunk) => {
		errors += chunk;
	});
	const answer = sampleWithTools ?? sample;
	const capabilities = {
		...(answer && { sampling: sampleWithTools ? { tools: {} } : {} }),
		...(elicit && { elicitation: {} }),
	};
	const client = new Client({ name: "test", version: "1" }, { capabilities });
	if (elicit)
		client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
			action: "accept" as const,
			content: { allow: elicit(params as ElicitRequestFormParams) },
		}));
	if (answer) client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => answer(params));
	await client.connect(transport);
	t.after(() => client.close());
	// The client validates structured content against the listed schemas.
	await client.listTools();
	const call = async (name: string, input: Record<string, unknown>, options?: RequestOptions) => {
		const patient = { timeout: PATIENCE_MS, ...options };
		const result = await client.callTool({ name, arguments: input }, CallToolResultSchema, patient);
		return result as CallToolResult;
	};
	const search = async (query: string) => {
		const { structuredContent } = await call("search_knowledge", { query });
		return structuredContent as unknown as SearchResult;
	};
	return {
		client,
		call,
		search,
		pid: transport.pid ?? 0,
		/** Waits until the paths of an answer are as expected; the test runner limits the time. */
		untilPaths: async (query: string, expected: (paths: readonly string[]) => boolean) => {
			const paths = async () => (await search(query)).hits.map(({ path }) => path);
			await untilIt(paths, expected);
		},
		errors: () => errors,
		close: () => client.close(),
	};
}

export function textOf({ content }: CallToolResult): string {
	return content.map((block) => (block.type === "text" ? block.text : "")).join("\n\n");
}

/** Runs the program from the command line; returns its output and exit code. */
export function runMcp(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
	const { promise, resolve } = Promise.withResolvers<{ code: unknown; out: string; errors: string }>();
	const all = [...process.execArgv, MCP_PROGRAM, ...args];
	execFile(process.execPath, all, { env: { ...process.env, ...env } }, (error, out, errors) =>
		resolve({ code: error ? error.code : 0, out, errors }),
	);
	return promise;
}
export async function runOn({ root, dataFolder }: Workspace, ...more: readonly string[]) {
	const { code, out, errors } = await runMcp(["--workspace", root, "--data", dataFolder, ...more]);
	return { code, printed: out + errors };
}
