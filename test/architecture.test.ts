import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { posix, sep } from "node:path";
import { test } from "node:test";

/** Which folder may import which; a folder may always import itself. */
const folders: Record<string, readonly string[]> = {
	core: [],
	agent: ["core"],
	tools: ["core"],
	knowledge: ["core"],
	embed: ["core"],
	store: ["core"],
	sessions: ["core", "store"],
	retrieve: ["core", "store"],
	protocol: ["core"],
	permissions: ["core"],
	acp: ["core"],
	worker: ["core", "protocol", "knowledge", "embed", "store", "sessions", "retrieve"],
	mcp: ["core", "protocol", "tools", "permissions"],
	vscode: ["core", "protocol", "agent", "acp", "permissions"],
	"extension.ts": ["core", "protocol", "agent", "tools", "mcp", "vscode"],
	webview: ["core", "protocol"],
};

/** Which folders may import a package; a package not named here may be imported anywhere. */
const packages: Record<string, readonly string[]> = {
	vscode: ["vscode", "extension.ts"],
	"vscode-languageclient": ["vscode"],
	"vscode-languageserver": ["worker"],
	"vscode-jsonrpc": ["protocol", "worker", "mcp", "vscode"],
	"@modelcontextprotocol/sdk": ["mcp"],
	"@vscode/prompt-tsx": ["agent"],
	"@lancedb/lancedb": ["store", "sessions"],
	"apache-arrow": ["store", "sessions"],
	htmlparser2: ["knowledge"],
	"microdata-rdf-streaming-parser": ["knowledge"],
	"rdfa-streaming-parser": ["knowledge"],
	"rdfxml-streaming-parser": ["knowledge"],
	jsonld: ["knowledge"],
	n3: ["knowledge"],
	oxigraph: ["store"],
	"markdown-it": ["knowledge", "webview"],
	yaml: ["knowledge", "worker", "acp", "vscode"],
	zod: ["tools", "protocol"],
	lit: ["webview"],
	"@lit-labs/virtualizer": ["webview"],
	"@vscode-elements/elements": ["webview"],
	ignore: ["worker"],
	node: ["knowledge", "embed", "store", "sessions", "worker", "permissions", "mcp", "acp", "vscode"],
	"@agentclientprotocol/sdk": ["acp"],
};

const sources = globSync("{src,webview}/**/*.{ts,tsx}").map((file) => file.split(sep).join("/"));

test("there are sources to look at", () => {
	assert.ok(sources.length > 5);
});

for (const file of sources) {
	test(`${file} imports only what its folder may`, () => {
		const from = roomOf(file);
		assert.ok(from in folders, `${from} is not a room of the design`);
		assert.deepEqual(
			specifiersOf(file).filter((specifier) => !isAllowed(specifier, file, from)),
			[],
		);
	});
}

function specifiersOf(file: string): string[] {
	const pattern = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*"([^"]+)"/g;
	return [...readFileSync(file, "utf8").matchAll(pattern)].map(([, specifier = ""]) => specifier);
}

function isAllowed(specifier: string, file: string, from: string): boolean {
	if (specifier.startsWith(".")) {
		const to = roomOf(posix.join(posix.dirname(file), specifier));
		return to === from || (folders[from] ?? []).includes(to);
	}
	const path = `${specifier.replace(":", "/")}/`;
	const rule = Object.keys(packages).find((name) => path.startsWith(`${name}/`));
	return rule === undefined || (packages[rule] ?? []).includes(from);
}

function roomOf(path: string): string {
	const [top, next = ""] = path.split("/");
	return top === "src" ? next : (top ?? "");
}
