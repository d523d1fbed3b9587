import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { context } from "esbuild";
import { writeEnglish } from "./scripts/l10n/bundle.ts";
import { obtainLancedb, placeLancedb, thisTarget } from "./scripts/lancedb.ts";
import { placeCodicons, webviewBundle } from "./scripts/webviewBundle.ts";
import { OLDEST_NODE } from "./src/mcp/oldestNode.ts";

const { values: options } = parseArgs({
	options: { minify: { type: "boolean", default: false }, watch: { type: "boolean", default: false } },
});

/** What a VSIX ships: program → source. */
const shipped = {
	"dist/extension": "src/extension.ts",
	"dist/workerConnection": "src/vscode/worker/connection.ts",
	"dist/graphViewHost": "src/vscode/graphView/host.ts",
	"dist/language": "src/vscode/language/language.ts",
	"dist/runners": "src/vscode/chat/runners.ts",
	"dist/serverModels": "src/vscode/models/serverModels.ts",
	"dist/describeCommand": "src/vscode/commands/describeCommand.ts",
	"dist/publishCommand": "src/vscode/commands/publishCommand.ts",
	"dist/evidence": "src/vscode/evidence/evidence.ts",
	"dist/telemetry": "src/telemetry/telemetry.ts",
	"dist/reportProblem": "src/vscode/commands/reportProblem.ts",
	"dist/permissions": "src/permissions/openPermissions.ts",
	"dist/toolset": "src/tools/toolset.ts",
	"dist/knowledgeTests": "src/vscode/knowledgeTests/tests.ts",
	"dist/saveTest": "src/vscode/knowledgeTests/saveTest.ts",
	"dist/saveTool": "src/vscode/plugins/saveTool.ts",
	"dist/pluginActions": "src/vscode/plugins/pluginActions.ts",
	"dist/pluginConfig": "src/vscode/plugins/pluginConfig.ts",
	"dist/addPlugin": "src/vscode/plugins/addPlugin.ts",
	"dist/sharePlugin": "src/vscode/plugins/sharePlugin.ts",
	"dist/sessionsViewHost": "src/vscode/sessionsView/host.ts",
	"dist/cliEngine": "src/vscode/cli/engine.ts",
	"dist/orchestratorHost": "src/vscode/agents/orchestratorHost.ts",
	"dist/worker": "src/worker/main.ts",
	"dist/parserProgram": "src/worker/parsing/parserProgram.ts",
	"dist/validateShapes": "src/graph/shapes/validateShapes.ts",
	"dist/clockThread": "src/worker/parsing/clockThread.ts",
	"dist/textReaders": "src/knowledge/texts/readers.ts",
	"dist/officeReaders": "src/knowledge/office/readers.ts",
	"dist/pdfReader": "src/knowledge/office/pdf/readPdf.ts",
	"dist/mcp": "src/mcp/start.ts",
	"dist/mcpProgram": "src/mcp/main.ts",
	"dist/mcpTests": "src/mcp/runFolderTests.ts",
	"dist/mcpServerModel": "src/mcp/client/serverModel.ts",
	"dist/samplingRunner": "src/mcp/client/samplingRunner.ts",
	"dist/mcpAgents": "src/mcp/agents/agents.ts",
	"dist/mcpEndpoint": "src/mcp/endpoint/cliTools.ts",
	"dist/sparqlThread": "src/graph/sparql/sparqlThread.ts",
};

/** What development and tests need besides, minified or not. */
const development = {
	"out/askDriver": "scripts/askDriver.ts",
	"out/endpointModel/extension": "scripts/endpointModel/extension.ts",
	"out/scriptedModel/extension": "test/inVscode/scriptedModel/extension.ts",
	"out/vscodeTests": "test/inVscode/index.ts",
};

/** `await import()` of another shipped program loads its bundle then, so that activation does not read it. */
const lazyPrograms = {
	name: "lazy programs",
	setup: (build) =>
		build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
			if (kind !== "dynamic-import") return undefined;
			const source = resolve(resolveDir, path);
			const program = Object.keys(shipped).find((name) => resolve(shipped[name]) === source);
			return program && { path: `./${basename(program)}.cjs`, external: true };
		}),
};

/** LanceDB looks for a binary beside itself first: let it find the one that `placeLancedb` put there. */
const ownBinary = {
	name: "own binary",
	setup: (build) =>
		build.onResolve({ filter: /^\.\/lancedb\..+\.node$/ }, () => ({
			path: "./native/lancedb.node",
			external: true,
		})),
};

/** The parser of JSON-LD could load documents from the network; ours is handed all that it reads. */
const noNetwork = {
	name: "no network",
	setup: (build) => {
		build.onResolve({ filter: /^@digitalbazaar\/http-client$/ }, ({ path }) => ({
			path,
			namespace: "absent",
		}));
		build.onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "" }));
	},
};

/** LanceDB can make vectors with OpenAI's client; it makes none for us. */
const unusedEmbedders = {
	name: "unused embedders",
	setup: (build) =>
		build.onResolve({ filter: /^openai$/ }, ({ path, importer }) =>
			importer.includes("@lancedb") ? { path, external: true } : undefined,
		),
};

/** The library defines the fields of its tokens one by one by a function, which takes a sixth of reading Markdown. */
const plainFields = {
	name: "plain fields",
	setup: (build) =>
		build.onLoad({ filter: /[\\/]markdown-it\.mjs$/ }, ({ path }) => ({
			contents: readFileSync(path, "utf8").replace(
				/_defineProperty\(\s*this,\s*(?:\/\*[\s\S]*?\*\/\s*)?("\w+"),/g,
				"(this[$1] =",
			),
		})),
};

/** Extensions need their manifest beside them. */
const manifests = {
	"out/endpointModel": "scripts/endpointModel",
	"out/scriptedModel": "test/inVscode/scriptedModel",
};

for (const stale of globSync("dist/*.{cjs,js,css,map}")) rmSync(stale);
mkdirSync("dist", { recursive: true });
writeEnglish();
// Oxigraph reads its WebAssembly beside the program that it is bundled into.
copyFileSync("node_modules/oxigraph/node_bg.wasm", "dist/node_bg.wasm");
// PDF.js reads what it knows of character sets and of fonts that are not embedded beside the program, too.
for (const folder of ["cmaps", "standard_fonts"])
	cpSync(`node_modules/pdfjs-dist/${folder}`, `dist/${folder}`, { recursive: true });
placeLancedb(await obtainLancedb(thisTarget()));
placeCodicons("dist");
for (const [folder, source] of Object.entries(manifests)) {
	mkdirSync(folder, { recursive: true });
	copyFileSync(`${source}/package.json`, `${folder}/package.json`);
}
const builder = await context({
	entryPoints: { ...shipped, ...development },
	outdir: ".",
	outExtension: { ".js": ".cjs" },
	bundle: true,
	platform: "node",
	format: "cjs",
	target: `node${OLDEST_NODE}`,
	supported: { "dynamic-import": false },
	external: ["vscode", "@lancedb/lancedb-*", "@huggingface/transformers", "@napi-rs/canvas"],
	plugins: [lazyPrograms, ownBinary, noNetwork, unusedEmbedders, plainFields],
	minify: options.minify,
	sourcemap: "linked",
	logLevel: options.watch ? "info" : "warning",
	// Mocha names its own files this way for runs in several processes.
	logOverride: { "require-resolve-not-external": "silent" },
});
const pageBuilder = await context({ ...webviewBundle("dist"), minify: options.minify });
for (const each of [pageBuilder, builder]) {
	if (options.watch) await each.watch();
	else {
		// What is wrong has been printed then.
		await each.rebuild().catch(() => {
			process.exitCode = 1;
		});
		await each.dispose();
	}
}
