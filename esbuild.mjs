import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { context } from "esbuild";
import { writeEnglish } from "./scripts/l10n/bundle.ts";
import { placeNativeLibraries, thisTarget } from "./scripts/nativeLibraries.ts";
import { writeTerms } from "./scripts/terms.ts";
import { placeCodicons, webviewBundle } from "./scripts/webviewBundle.ts";
import { OLDEST_NODE } from "./src/mcp/oldestNode.ts";

const { values: options } = parseArgs({
	options: { minify: { type: "boolean", default: false }, watch: { type: "boolean", default: false } },
});

/**
 * What a VSIX ships: program → its sources. The first eight run in the extension host: the first of them when the
 * window opens, each other when something asks for one of its sources by `import()`.
 */
const shipped = {
	extension: ["src/extension.ts"],
	workerConnection: ["src/vscode/worker/connection.ts"],
	answers: [
		"src/vscode/chat/runners.ts",
		"src/tools/toolset.ts",
		"src/vscode/agents/skills.ts",
		"src/permissions/openPermissions.ts",
		"src/vscode/evidence/evidence.ts",
	],
	editor: [
		"src/vscode/language/language.ts",
		"src/base/rdf/formatTurtle.ts",
		"src/vscode/graphView/host.ts",
		"src/vscode/sessionsView/host.ts",
	],
	agents: [
		"src/vscode/cli/engine.ts",
		"src/vscode/agents/orchestratorHost.ts",
		"src/mcp/endpoint/cliTools.ts",
	],
	commands: [
		"src/vscode/commands/describeCommand.ts",
		"src/vscode/commands/publishCommand.ts",
		"src/vscode/commands/reportProblem.ts",
		"src/vscode/models/strongerSearch.ts",
		"src/vscode/knowledgeTests/tests.ts",
		"src/vscode/plugins/pluginActions.ts",
		"src/vscode/plugins/sharePlugin.ts",
	],
	network: ["src/vscode/models/serverModels.ts"],
	telemetry: ["src/telemetry/telemetry.ts"],
	mcp: ["src/mcp/start.ts"],
	mcpProgram: ["src/mcp/main.ts"],
	mcpModels: [
		"src/mcp/client/serverModel.ts",
		"src/mcp/client/samplingRunner.ts",
		"src/mcp/agents/agents.ts",
		"src/mcp/jobs.ts",
	],
	worker: ["src/worker/main.ts"],
	embeddingProgram: ["src/embed/transformer/embeddingProgram.ts"],
	parserProgram: ["src/worker/parsing/parserProgram.ts"],
	readers: ["src/knowledge/texts/readers.ts", "src/knowledge/office/readers.ts"],
	pdfReader: ["src/knowledge/office/pdf/readPdf.ts"],
	validateShapes: ["src/graph/shapes/validateShapes.ts"],
	clockThread: ["src/worker/parsing/clockThread.ts"],
	sparqlThread: ["src/graph/sparql/sparqlThread.ts"],
};

/** What development and tests need besides, minified or not. */
const development = {
	"out/askDriver": "scripts/askDriver.ts",
	"out/endpointModel/extension": "scripts/endpointModel/extension.ts",
	"out/scriptedModel/extension": "test/inVscode/scriptedModel/extension.ts",
	"out/vscodeTests": "test/inVscode/index.ts",
};

/**
 * `import()` of a source of another shipped program loads its bundle then, so that activation does not read it. What
 * the extension host imports so must be in one, or it would be read as the window opens.
 */
const lazyPrograms = {
	name: "lazy programs",
	setup: (build) => {
		build.onResolve({ filter: /^program:/ }, ({ path }) => ({ path, namespace: "program" }));
		build.onLoad({ filter: /.*/, namespace: "program" }, ({ path }) => ({
			contents: shipped[path.slice("program:".length)]
				.map((source) => `export * from "./${source}";`)
				.join("\n"),
			resolveDir: import.meta.dirname,
		}));
		build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir, importer }) => {
			if (kind !== "dynamic-import") return undefined;
			const wanted = resolve(resolveDir, path);
			const isIn = (name) => shipped[name].some((source) => resolve(source) === wanted);
			const program = Object.keys(shipped).find(isIn);
			if (program) return { path: `./${program}.cjs`, external: true };
			const inHost = /[\\/]src[\\/](activation|vscode)[\\/]/.test(importer);
			return inHost ? { errors: [{ text: `esbuild.mjs ships no program with ${path}.` }] } : undefined;
		});
	},
};

/** A program of one source is that source; one of several exports what all of them do. */
const programs = Object.fromEntries(
	Object.entries(shipped).map(([name, sources]) => [
		`dist/${name}`,
		sources.length === 1 ? sources[0] : `program:${name}`,
	]),
);

/** Native libraries are loaded from where `placeNativeLibraries` put them. */
const ownBinaries = {
	name: "own binaries",
	setup: (build) => {
		build.onResolve({ filter: /^\.\/lancedb\..+\.node$/ }, () => ({
			path: "./native/lancedb.node",
			external: true,
		}));
		build.onLoad({ filter: /onnxruntime-node[\\/]dist[\\/]binding\.js$/ }, ({ path }) => ({
			contents: readFileSync(path, "utf8").replace(/`\.\.\/bin\/.+?`/, '"native:onnxruntime"'),
		}));
		build.onResolve({ filter: /^native:onnxruntime$/ }, () => ({
			path: "./native/onnxruntime/onnxruntime_binding.node",
			external: true,
		}));
	},
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
await writeTerms("dist/terms.json");
await placeNativeLibraries(thisTarget());
placeCodicons("dist");
for (const [folder, source] of Object.entries(manifests)) {
	mkdirSync(folder, { recursive: true });
	copyFileSync(`${source}/package.json`, `${folder}/package.json`);
}
const builder = await context({
	entryPoints: { ...programs, ...development },
	outdir: ".",
	outExtension: { ".js": ".cjs" },
	bundle: true,
	platform: "node",
	format: "cjs",
	target: `node${OLDEST_NODE}`,
	supported: { "dynamic-import": false },
	external: ["vscode", "@lancedb/lancedb-*", "@huggingface/transformers", "@napi-rs/canvas"],
	plugins: [lazyPrograms, ownBinaries, noNetwork, unusedEmbedders, plainFields],
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
