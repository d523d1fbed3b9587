import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { OLDEST_NODE } from "../src/mcp/oldestNode.ts";
import { build } from "./build.ts";
import { obtainPackage, runNpm } from "./npm.ts";
import { NPM_NAME, packNpm } from "./npmPackage.ts";
import { root, sampleFolder } from "./paths.ts";
import { checkOff, conclude, sumTallies, type Tally } from "./tally.ts";

const PROGRAM = join(root, "dist", "mcp.cjs");

/** An old Node that is still in use. */
const OLD_NODE = "20.20.2";

const QUERY = { query: "When are the fog horns tested?" };
const MOST_QUESTIONS = 20;
const SOURCE = "handbook/fog-signals.md";

/** Tests the shipped MCP program on the oldest supported Node, and on an older one. */
export async function testNode(): Promise<Tally> {
	return sumTallies([
		await checkOff(`the MCP program answers on Node ${OLDEST_NODE}`, async () =>
			answers(await obtainNode(OLDEST_NODE), [PROGRAM]),
		),
		await checkOff(`the MCP program refuses Node ${OLD_NODE} in words`, refuses),
		await checkOff("the npm package installs and answers", installs),
	]);
}

/** Installs the package outside of the repository, whose modules would hide a missing package. */
async function installs(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "copilot-ld-npm-"));
	try {
		await runNpm([
			"install",
			await packNpm(),
			"--prefix",
			folder,
			"--no-audit",
			"--no-fund",
			"--loglevel=error",
		]);
		await answers(join(folder, "node_modules", ".bin", NPM_NAME), []);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function answers(command: string, program: readonly string[]): Promise<void> {
	const data = await mkdtemp(join(tmpdir(), "copilot-ld-node-"));
	const client = new Client({ name: "test", version: "1" });
	try {
		const args = [...program, "--workspace", sampleFolder, "--data", data];
		await client.connect(new StdioClientTransport({ command, args }));
		assert.equal((await client.listTools()).tools.length, 9);
		assert.ok(await cites(client), `It does not cite ${SOURCE}.`);
		const count = { sparql: "SELECT (COUNT(*) AS ?count) { ?s ?p ?o }" };
		const asked = await client.callTool({ name: "query_graph", arguments: count });
		assert.ok(!asked.isError, JSON.stringify(asked.content));
	} finally {
		await client.close();
		await rm(data, { recursive: true, force: true });
	}
}

/** Asks until the answer cites: on a busy machine, first answers use only the files read so far. */
async function cites(client: Client): Promise<boolean> {
	for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
		const { content } = await client.callTool({ name: "search_knowledge", arguments: QUERY });
		if (JSON.stringify(content).includes(SOURCE)) return true;
	}
	return false;
}

async function refuses(): Promise<void> {
	const node = await obtainNode(OLD_NODE);
	const { code, errors } = await new Promise<{ code: unknown; errors: string }>((resolve) =>
		execFile(node, [PROGRAM, "--workspace", sampleFolder], (error, _out, errors) =>
			resolve({ code: error?.code, errors }),
		),
	);
	assert.equal(code, 2);
	assert.match(
		errors,
		new RegExp(`^Copilot-LD needs Node ${OLDEST_NODE} or newer, and this is ${OLD_NODE}\\. .*\\n$`),
	);
}

/** Downloads missing versions of Node. */
export async function obtainNodes(): Promise<void> {
	await Promise.all([OLDEST_NODE, OLD_NODE].map(obtainNode));
}

/** Absolute path of this version of Node from the registry. */
async function obtainNode(version: string): Promise<string> {
	const platform = process.platform === "win32" ? "win" : process.platform;
	const folder = await obtainPackage(`node-${platform}-${process.arch}@${version}`);
	const node = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
	await access(node);
	return node;
}

if (import.meta.main) {
	await build();
	conclude(await testNode());
}
