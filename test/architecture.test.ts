import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { posix, sep } from "node:path";
import { test } from "node:test";
import { assertNone } from "./support/assertNone.ts";

/** The folders that each folder may import, besides itself. */
const folders: Record<string, string> = {
	base: "",
	core: "",
	agent: "base core",
	passages: "base core",
	tools: "base core orchestrator plugins",
	evidence: "base core",
	names: "base core",
	knowledge: "base core",
	embed: "base core",
	models: "base core",
	telemetry: "base core",
	graph: "base core",
	search: "base core",
	store: "base core search",
	sessions: "base core search",
	answer: "base core",
	retrieve: "base core answer graph search store",
	protocol: "base core",
	permissions: "base core",
	knowledgeTests: "base core",
	orchestrator: "base core",
	plugins: "base core",
	loads: "base core",
	acp: "base core permissions loads",
	worker: "base core protocol knowledge embed graph search store sessions retrieve names loads plugins",
	mcp: "base core protocol agent evidence passages tools permissions orchestrator loads acp models telemetry knowledgeTests plugins",
	vscode:
		"base core names protocol agent evidence passages acp embed models telemetry permissions loads orchestrator knowledgeTests plugins",
	activation: "base core tools mcp permissions orchestrator vscode",
	"extension.ts": "activation vscode",
	webview: "core protocol",
};

/** The folders that may import each package. Packages that are not listed may be imported anywhere. */
const packages = [
	["vscode", "vscode activation extension.ts"],
	["vscode-languageclient", "vscode"],
	["vscode-languageserver", "worker"],
	["vscode-jsonrpc", "protocol worker mcp vscode"],
	["@modelcontextprotocol/sdk", "mcp"],
	["@vscode/prompt-tsx", "agent"],
	["@lancedb/lancedb apache-arrow", "store"],
	["openai", "models"],
	["@opentelemetry", "telemetry"],
	["htmlparser2 jsonld", "knowledge"],
	["microdata-rdf-streaming-parser rdfa-streaming-parser rdfxml-streaming-parser", "knowledge"],
	["n3", "graph knowledge"],
	["rdf-validate-shacl oxigraph", "graph"],
	["markdown-it", "knowledge webview"],
	["yaml", "base knowledge knowledgeTests worker acp orchestrator vscode"],
	["onnxruntime-node @huggingface/tokenizers", "embed"],
	["zod", "core embed tools protocol sessions worker permissions orchestrator knowledgeTests plugins"],
	["lit cytoscape @lit-labs/virtualizer", "webview"],
	["ignore", "base worker"],
	[
		"node",
		"base evidence knowledge embed graph search store sessions worker permissions loads mcp acp vscode",
	],
	["@agentclientprotocol/sdk", "acp"],
] as const;

const sources = globSync("{src,webview}/**/*.{ts,tsx}").map((file) => file.split(sep).join("/"));

for (const file of sources) {
	test(`${file} imports only what the architecture allows`, () => {
		const from = folderOf(file);
		assert.ok(from in folders, `${from} is not a folder of the design`);
		assertNone(specifiersOf(file).filter((specifier) => !isAllowed(specifier, file, from)));
	});
}

test("no two folders import each other", () => {
	const importsOf = (file: string) => foldersImportedBy(file).map((to) => `${posix.dirname(file)} ${to}`);
	const imports = new Set(sources.flatMap(importsOf));
	assertNone([...imports].filter((pair) => imports.has(pair.split(" ").reverse().join(" "))));
});

test("readers of office files, PDF, mail and markup load on first use", () => {
	const loaded = new Set<string>();
	const load = (file: string) => {
		if (loaded.has(file)) return;
		loaded.add(file);
		const text = readFileSync(file, "utf8");
		for (const [, specifier = ""] of text.matchAll(
			/^(?:import|export) (?!type\b)(?:[^;"]*\bfrom )?"(\.[^"]+)"/gm,
		))
			load(posix.join(posix.dirname(file), specifier));
	};
	load("src/worker/parsing/parserProgram.ts");
	assert.ok(loaded.has("src/knowledge/formats.ts"));
	assertNone([...loaded].filter((file) => /\/knowledge\/(?:office|texts)\//.test(file)));
});

function foldersImportedBy(file: string): string[] {
	const own = posix.dirname(file);
	return specifiersOf(file)
		.filter((specifier) => specifier.startsWith("."))
		.map((specifier) => posix.dirname(posix.join(own, specifier)))
		.filter((to) => to !== own);
}

function specifiersOf(file: string): string[] {
	const pattern = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*"([^"]+)"/g;
	return [...readFileSync(file, "utf8").matchAll(pattern)].map(([, specifier = ""]) => specifier);
}

function isAllowed(specifier: string, file: string, from: string): boolean {
	if (specifier.startsWith(".")) {
		const to = folderOf(posix.join(posix.dirname(file), specifier));
		return to === from || wordsOf(folders[from]).includes(to);
	}
	const path = `${specifier.replace(":", "/")}/`;
	const rule = packages.find(([names]) => wordsOf(names).some((name) => path.startsWith(`${name}/`)));
	return rule === undefined || wordsOf(rule[1]).includes(from);
}

const wordsOf = (text = "") => text.split(" ");

function folderOf(path: string): string {
	const [top, next = ""] = path.split("/");
	return top === "src" ? next : (top ?? "");
}
