import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMcpArguments } from "../../src/mcp/parseArguments.ts";
import { formatMcpArguments } from "../../src/protocol/mcpArguments.ts";
import { MCP_CONFIGURATION_FORMATS } from "../../src/vscode/mcpConfiguration.ts";

test("what the editor puts on the command line is what the program reads there", () => {
	const args = {
		workspaces: ["/home/me/my notes", "/srv/data"],
		data: "/home/me/.index",
		permissions: "/home/me/.rules",
		excludes: ["**/.git", "-odd/**"],
		graphEndpoint: "https://example.org/sparql",
		isTextOnly: true,
	};
	assert.deepEqual(parseMcpArguments(formatMcpArguments(args)), args);
	const least = { workspaces: ["/kb"], excludes: [] };
	assert.deepEqual(parseMcpArguments(formatMcpArguments(least)), least);
});

test("each client gets the lines that it reads", () => {
	const launch = { program: "/ext/dist/mcp.cjs", args: ["--workspace", "/kb"] };
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
