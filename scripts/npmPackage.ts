import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OLDEST_NODE } from "../src/mcp/oldestNode.ts";
import { lancedbPackages } from "./nativeLibraries.ts";
import { runNpm } from "./npm.ts";
import { outFolder, root } from "./paths.ts";
import { step } from "./step.ts";

export const NPM_NAME = "copilot-ld-mcp";

/** Bundles for the editor only. */
const OF_EDITOR = /^(?:extension|workerConnection|answers|editor|agents|commands|network)\.cjs$/;
const SHIPPED = /\.(?:cjs|wasm)$|^(?:cmaps|standard_fonts)$/;
const MODEL = /^(?:MODEL_CARD\.md|config\.json|.+\.safetensors)$/;

/** Code that exports the native library of the package that npm installed for the platform. */
const LANCEDB = `const { platform, arch } = process;
const isMusl = platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
const abi = { linux: isMusl ? "-musl" : "-gnu", win32: "-msvc" }[platform] ?? "";
module.exports = require(\`@lancedb/lancedb-\${platform}-\${arch}\${abi}\`);
`;
const RUNTIME = `const { platform, arch } = process;
module.exports = require(\`onnxruntime-node/bin/napi-v6/\${platform}/\${arch}/onnxruntime_binding.node\`);
`;

/** Packs the MCP program as one npm package for all platforms; returns its path. Requires minified programs. */
export async function packNpm(): Promise<string> {
	const folder = join(outFolder, "npm");
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await copy("dist", folder, (name) => SHIPPED.test(name) && !OF_EDITOR.test(name));
	await copy("media/model", folder, (name) => MODEL.test(name));
	await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
	await cp(join(root, "docs", "mcp.md"), join(folder, "README.md"));
	const program = join(folder, "dist", "mcp.cjs");
	await writeFile(program, `#!/usr/bin/env node\n${await readFile(program, "utf8")}`);
	await writeLibrary(folder, "lancedb.node", LANCEDB);
	await writeLibrary(folder, "onnxruntime/onnxruntime_binding.node", RUNTIME);
	const manifest = manifestFor(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
	await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, "\t")}\n`);
	await step("Packing for npm", () =>
		runNpm(["pack", folder, "--pack-destination", outFolder, "--loglevel", "error"]),
	);
	return join(outFolder, `${NPM_NAME}-${manifest.version}.tgz`);
}

async function copy(from: string, folder: string, isWanted: (name: string) => boolean): Promise<void> {
	for (const name of await readdir(join(root, from)))
		if (isWanted(name)) await cp(join(root, from, name), join(folder, from, name), { recursive: true });
}

/** Writes a library as the index of a folder, which `require` uses if the file is missing. */
async function writeLibrary(folder: string, name: string, code: string): Promise<void> {
	const library = join(folder, "dist", "native", name);
	await mkdir(library, { recursive: true });
	await writeFile(join(library, "index.js"), code);
}

function manifestFor({ version, license, repository, dependencies }: Manifest) {
	const { "onnxruntime-node": runtime } = dependencies;
	return {
		name: NPM_NAME,
		version,
		description:
			"Answers from a folder's linked data and documents, with citations, over the Model Context Protocol",
		license,
		repository,
		engines: { node: `>=${OLDEST_NODE}` },
		bin: { [NPM_NAME]: "dist/mcp.cjs" },
		optionalDependencies: lancedbPackages(),
		// Optional, because it is large and only needed for --embedding-folder.
		peerDependencies: { "onnxruntime-node": runtime },
		peerDependenciesMeta: { "onnxruntime-node": { optional: true } },
	};
}

interface Manifest {
	readonly version: string;
	readonly license: string;
	readonly repository: object;
	readonly dependencies: Readonly<Record<string, string>>;
}
