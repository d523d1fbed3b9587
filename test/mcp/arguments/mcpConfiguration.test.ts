import assert from "node:assert/strict";
import { test } from "node:test";
import { readSecrets } from "../../../src/mcp/arguments/mcpRun.ts";
import { parseMcpArguments } from "../../../src/mcp/arguments/parseArguments.ts";
import { formatMcpArguments } from "../../../src/protocol/mcpOptions.ts";
import { MCP_CONFIGURATION_FORMATS } from "../../../src/vscode/mcp/launch.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { listed } from "../../support/listed.ts";

test("the program reads the command line exactly as the editor writes it", () => {
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
			...{ maxTokens: 9000, maxMinutes: 5, stepTimeout: 60 },
			...{ answerTimeout: 30, answerTokens: 99, modelWindow: 9000 },
		},
		isTextOnly: true,
		otlp: { endpoint: "http://localhost:4318", contents: true },
		storage: { uri: "s3://a/index", options: { region: "eu", endpoint: "http://a:9/?a=b" }, readOnly: true },
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

const KB = "--workspace /kb";
const UNFIT = listed(`
	storage-option=region | storage-memory=much | search-index=all | search-threshold=2 | search-max-tokens=0
	embedding-endpoint=http://localhost --embedding-dimensions=many | agents-step-timeout=0 | model-window=1000
	embedding-endpoint=http://localhost --embedding-batch-size=0 | agents-max-tokens=999 | agents-max-minutes=1e3
	agents-answer-tokens=63
`);

const WRONG = [
	["", /Name the folder to answer from: --workspace DIR/],
	[`${KB} --fast`, /Unknown option '--fast'/],
	[`${KB} extra`, /Unexpected argument 'extra'/],
	["--workspace ", /path of a folder is empty/],
	...UNFIT.map((option) => [`${KB} --${option}`, /wants/] as const),
	[`${KB} --junit=a.xml`, /the outcomes of --test/],
	[`${KB} --otlp-contents`, /needs --otlp-endpoint/],
	[`${KB} --model=qwen3`, /A model needs both options/],
	[`${KB} --model-endpoint=http://localhost:11434`, /A model needs both options/],
	[`${KB} --model-endpoint=http://me:key@localhost --model=qwen3`, /without an account in it/],
	[`${KB} --allow {"effect":"deny","tool":"x"}`, /--allow wants/],
	[`${KB} --allow {"tool":"x"`, /--allow wants/],
	[`${KB} --agree-plugin acts`, /--agree-plugin wants/],
	[`${KB} --agree-plugin acts@abc`, /--agree-plugin wants/],
] as const;

test("invalid arguments are refused with a message", () => {
	for (const [args, message] of WRONG) {
		const list = args === "" ? [] : args.split(" ");
		assert.throws(() => parseMcpArguments(list), { code: "BAD_INPUT", message }, args);
	}
});

test("each client gets its own configuration syntax, with secrets as references", () => {
	const launch = { program: "/ext/dist/mcp.cjs", args: ["--workspace", "/kb"] };
	const [id, description] = ["COPILOT_LD_EMBEDDING_KEY", "API key for http://localhost:11434"];
	const command = { command: "node", args: ["/ext/dist/mcp.cjs", "--workspace", "/kb"] };
	const [asked, named] = [`\${input:${id}}`, `\${${id}}`];
	const inputs = [{ id, type: "promptString", description, password: true }];
	for (const [variables, vscode, other, more] of [
		[[], {}, {}, {}],
		[[{ name: id, description }], { env: { [id]: asked } }, { env: { [id]: named } }, { inputs }],
	] as const) {
		const local = { type: "local", ...command, ...other, tools: ["*"] };
		assertMapped(
			MCP_CONFIGURATION_FORMATS,
			({ id, configure }) => [id, configure({ ...launch, variables })],
			[
				["vscode", { ...more, servers: { "copilot-ld": { type: "stdio", ...command, ...vscode } } }],
				["copilot-cli", { mcpServers: { "copilot-ld": local } }],
				["claude", { mcpServers: { "copilot-ld": { ...command, ...other } } }],
			],
		);
	}
});

test("secrets are read from variables, ignoring unexpanded names, and are hidden from other processes", () => {
	const env = { PATH: "/bin", COPILOT_LD_EMBEDDING_KEY: ["${", "COPILOT_LD_EMBEDDING_KEY", "}"].join("") };
	const secrets = readSecrets({ ...env, COPILOT_LD_STORAGE_CREDENTIALS: "access_key_id=me" });
	assert.equal(secrets.find({ kind: "storage", address: "s3://team/index" }), "access_key_id=me");
	assert.equal(secrets.find({ kind: "embedding", address: "http://localhost" }), undefined);
	assert.deepEqual(secrets.others, { PATH: "/bin" });
});
