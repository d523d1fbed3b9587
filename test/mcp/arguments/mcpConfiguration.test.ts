import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMcpArguments } from "../../../src/mcp/arguments/parseArguments.ts";
import { readSecrets } from "../../../src/mcp/arguments/secrets.ts";
import { formatMcpArguments } from "../../../src/protocol/worker.ts";
import { MCP_CONFIGURATION_FORMATS } from "../../../src/vscode/mcp/launch.ts";

test("what the editor puts on the command line is what the program reads there", () => {
	const args = {
		workspaces: ["/home/me/my notes", "/srv/data"],
		data: "/home/me/.index",
		permissions: "/home/me/.rules",
		sessions: "/home/me/.sessions",
		excludes: ["**/.git", "-odd/**"],
		agentInstructions: true,
		search: { index: "descriptor" as const, threshold: 0.25, maxTokens: 8000 },
		graphEndpoint: "https://example.org/sparql",
		model: { endpoint: "http://localhost:11434/v1", name: "-qwen3" },
		agents: {
			maxTokens: 5000,
			maxMinutes: 5,
			stepTimeout: 60,
			answerTimeout: 30,
			answerTokens: 512,
			modelWindow: 9000,
		},
		isTextOnly: true,
		storage: {
			uri: "s3://team/index",
			options: { region: "eu-north-1", endpoint: "http://127.0.0.1:9000/?a=b" },
			readOnly: true,
		},
		embedding: {
			provider: "openai-compatible" as const,
			endpoint: "http://localhost:11434/v1",
			model: "nomic-embed-text",
			dimensions: 256,
			batchSize: 32,
			queryPrefix: "search_query: ",
			passagePrefix: "-- ",
		},
	};
	assert.deepEqual(parseMcpArguments(formatMcpArguments(args)), args);
	const least = { workspaces: ["/kb"], excludes: [] };
	assert.deepEqual(parseMcpArguments(formatMcpArguments(least)), least);
	const none = { ...least, storage: { readOnly: true }, embedding: { provider: "none" as const } };
	assert.deepEqual(parseMcpArguments(formatMcpArguments(none)), none);
});

for (const option of [
	"--storage-option=region",
	"--embedding-dimensions=many",
	"--embedding-batch-size=0",
	"--search-index=all",
	"--search-threshold=2",
	"--search-max-tokens=0",
	"--agents-max-tokens=999",
	"--agents-max-minutes=1e3",
	"--agents-step-timeout=0",
	"--agents-answer-tokens=63",
	"--model-window=1000",
])
	test(`${option} is refused with what is wanted`, () => {
		const args = ["--workspace", "/kb", "--embedding-endpoint=http://localhost", option];
		assert.throws(() => parseMcpArguments(args), { code: "BAD_INPUT", message: /wants/ });
	});

test("a model of a server has an address and a name", () => {
	for (const [half, message] of [
		["--model=qwen3", /where the model is and which/],
		["--model-endpoint=http://localhost:11434", /where the model is and which/],
		["--model-endpoint=http://me:key@localhost --model=qwen3", /without an account in it/],
	] as const)
		assert.throws(() => parseMcpArguments(["--workspace", "/kb", ...half.split(" ")]), {
			code: "BAD_INPUT",
			message,
		});
});

test("secrets are copied as references that each client fills in itself", () => {
	const variables = [{ name: "COPILOT_LD_EMBEDDING_KEY", description: "API key for http://localhost:11434" }];
	const launch = { program: "/ext/dist/mcp.cjs", args: [], variables };
	const [vscode, cli, claude] = MCP_CONFIGURATION_FORMATS.map(({ configure }) => configure(launch));
	const command = { command: "node", args: ["/ext/dist/mcp.cjs"] };
	const [id, description] = ["COPILOT_LD_EMBEDDING_KEY", "API key for http://localhost:11434"];
	assert.deepEqual(vscode, {
		inputs: [{ id, type: "promptString", description, password: true }],
		servers: { "copilot-ld": { type: "stdio", ...command, env: { [id]: `\${input:${id}}` } } },
	});
	const env = { [id]: `\${${id}}` };
	assert.deepEqual(cli, {
		mcpServers: { "copilot-ld": { type: "local", ...command, env, tools: ["*"] } },
	});
	assert.deepEqual(claude, { mcpServers: { "copilot-ld": { ...command, env } } });
});

test("a secret is what a variable holds, not the name that a client did not fill in, and goes to no other process", () => {
	const env = { PATH: "/bin", COPILOT_LD_EMBEDDING_KEY: ["${", "COPILOT_LD_EMBEDDING_KEY", "}"].join("") };
	const secrets = readSecrets({ ...env, COPILOT_LD_STORAGE_CREDENTIALS: "access_key_id=me" });
	assert.equal(secrets.find({ kind: "storage", address: "s3://team/index" }), "access_key_id=me");
	assert.equal(secrets.find({ kind: "embedding", address: "http://localhost" }), undefined);
	assert.deepEqual(secrets.others, { PATH: "/bin" });
});

test("each client gets the lines that it reads", () => {
	const launch = { program: "/ext/dist/mcp.cjs", args: ["--workspace", "/kb"], variables: [] };
	const command = { command: "node", args: ["/ext/dist/mcp.cjs", "--workspace", "/kb"] };
	assert.deepEqual(
		MCP_CONFIGURATION_FORMATS.map(({ id, configure }) => [id, configure(launch)]),
		[
			["vscode", { servers: { "copilot-ld": { type: "stdio", ...command } } }],
			["copilot-cli", { mcpServers: { "copilot-ld": { type: "local", ...command, tools: ["*"] } } }],
			["claude", { mcpServers: { "copilot-ld": command } }],
		],
	);
});
