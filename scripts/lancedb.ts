import { copyFileSync, globSync, linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { obtainPackage } from "./npm.ts";
import { root } from "./paths.ts";

/** VS Code's name for a platform → the package that holds LanceDB's binary for it. */
const PACKAGES: Readonly<Record<string, string>> = {
	"linux-x64": "@lancedb/lancedb-linux-x64-gnu",
	"linux-arm64": "@lancedb/lancedb-linux-arm64-gnu",
	"alpine-x64": "@lancedb/lancedb-linux-x64-musl",
	"alpine-arm64": "@lancedb/lancedb-linux-arm64-musl",
	"darwin-arm64": "@lancedb/lancedb-darwin-arm64",
	"win32-x64": "@lancedb/lancedb-win32-x64-msvc",
	"win32-arm64": "@lancedb/lancedb-win32-arm64-msvc",
};

/** The platforms that a VSIX can be made for. */
export const targets: readonly string[] = Object.keys(PACKAGES);

/** Where the worker looks for the binary, whatever the platform. */
const SHIPPED = join(root, "dist", "native", "lancedb.node");

/** VS Code's name for the platform that this runs on. */
export function thisTarget(): string {
	const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
	const isMusl = process.platform === "linux" && !report.header?.glibcVersionRuntime;
	return `${isMusl ? "alpine" : process.platform}-${process.arch}`;
}

/** The binary for a platform: the one that npm installed, else downloaded from the registry. */
export async function obtainLancedb(target: string): Promise<string> {
	const name = PACKAGES[target];
	if (!name) throw new Error(`LanceDB has no binary for ${target}, only for ${targets.join(", ")}.`);
	const [installed] = binariesIn(join(root, "node_modules", name));
	const [binary] = installed ? [installed] : binariesIn(await obtainPackage(`${name}@${lancedbVersion()}`));
	if (!binary) throw new Error(`${name} holds no binary.`);
	return binary;
}

/** Puts a binary where the worker looks for it; as a link where the disk can, because it has 200 MB. */
export function placeLancedb(binary: string): void {
	rmSync(SHIPPED, { force: true });
	mkdirSync(dirname(SHIPPED), { recursive: true });
	try {
		linkSync(binary, SHIPPED);
	} catch {
		copyFileSync(binary, SHIPPED);
	}
}

function binariesIn(folder: string): string[] {
	return globSync("*.node", { cwd: folder }).map((file) => join(folder, file));
}

function lancedbVersion(): string {
	const manifest = readFileSync(join(root, "node_modules", "@lancedb", "lancedb", "package.json"), "utf8");
	return (JSON.parse(manifest) as { version: string }).version;
}
