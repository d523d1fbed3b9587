import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runNpm } from "./npm.ts";
import { cacheFolder } from "./paths.ts";
import { step } from "./step.ts";

const VERSION = "3.22.1";

/** The folder of llama.cpp with its bindings for Node; missing until obtained. */
export const llamaFolder = join(cacheFolder, `node-llama-cpp-${VERSION}`);

/** Obtains the package with the binary of this platform only: the others have 600 MB. */
export async function obtainLlama(): Promise<void> {
	if (existsSync(llamaFolder)) return;
	const partial = `${llamaFolder}.partial`;
	await rm(partial, { recursive: true, force: true });
	await mkdir(partial, { recursive: true });
	await writeFile(join(partial, "package.json"), '{ "private": true }');
	const names = ["node-llama-cpp", `@node-llama-cpp/${binaryOf(process.platform)}`];
	const packages = names.map((name) => `${name}@${VERSION}`);
	const options = ["--omit=optional", "--omit=peer", "--ignore-scripts", "--no-audit", "--loglevel=error"];
	await step("Downloading llama.cpp", () => runNpm(["install", ...packages, ...options], { cwd: partial }));
	await rename(partial, llamaFolder);
}

function binaryOf(platform: NodeJS.Platform): string {
	if (platform === "darwin") return process.arch === "arm64" ? "mac-arm64-metal" : "mac-x64";
	return `${platform === "win32" ? "win" : platform}-${process.arch}`;
}

if (import.meta.main) await obtainLlama();
