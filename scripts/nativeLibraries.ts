import { copyFileSync, existsSync, globSync, linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { obtainPackage } from "./npm.ts";
import { root } from "./paths.ts";

/** LanceDB's package with the binary, by VS Code's name of the platform. */
const PACKAGES: Readonly<Record<string, string>> = {
	"linux-x64": "@lancedb/lancedb-linux-x64-gnu",
	"linux-arm64": "@lancedb/lancedb-linux-arm64-gnu",
	"alpine-x64": "@lancedb/lancedb-linux-x64-musl",
	"alpine-arm64": "@lancedb/lancedb-linux-arm64-musl",
	"darwin-arm64": "@lancedb/lancedb-darwin-arm64",
	"win32-x64": "@lancedb/lancedb-win32-x64-msvc",
	"win32-arm64": "@lancedb/lancedb-win32-arm64-msvc",
};

/** The platforms with a VSIX. */
export const targets: readonly string[] = Object.keys(PACKAGES);

/** LanceDB's packages for all platforms, with their version. */
export function lancedbPackages(): Record<string, string> {
	return Object.fromEntries(Object.values(PACKAGES).map((name) => [name, lancedbVersion()]));
}

/** VS Code's name of the current platform. */
export function thisTarget(): string {
	const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
	const isMusl = process.platform === "linux" && !report.header?.glibcVersionRuntime;
	return `${isMusl ? "alpine" : process.platform}-${process.arch}`;
}

/** The folder of native libraries, on every platform. */
const SHIPPED = join(root, "dist", "native");

/** Files that the binding of ONNX Runtime needs; Alpine has none. */
const RUNTIME =
	/^(?:onnxruntime_binding\.node|libonnxruntime\.(?:so\.1|1\.dylib)|onnxruntime\.dll|DirectML\.dll)$/;

/** Places the native libraries of a platform in the folder of the programs. */
export async function placeNativeLibraries(target: string): Promise<void> {
	const lancedb = await obtainLancedb(target);
	rmSync(SHIPPED, { recursive: true, force: true });
	place(lancedb, join(SHIPPED, "lancedb.node"));
	const [platform = "", arch = ""] = target.split("-");
	const runtime = join(root, "node_modules", "onnxruntime-node", "bin", "napi-v6", platform, arch);
	if (!existsSync(runtime)) return;
	const files = globSync("*", { cwd: runtime }).filter((file) => RUNTIME.test(file));
	for (const file of files) place(join(runtime, file), join(SHIPPED, "onnxruntime", basename(file)));
}

/** Links a file if possible, else copies it: LanceDB's has 200 MB. */
function place(file: string, shipped: string): void {
	mkdirSync(dirname(shipped), { recursive: true });
	try {
		linkSync(file, shipped);
	} catch {
		copyFileSync(file, shipped);
	}
}

/** Returns the binary for a platform: installed by npm, or else downloaded from the registry. */
async function obtainLancedb(target: string): Promise<string> {
	const name = PACKAGES[target];
	if (!name) throw new Error(`LanceDB has no binary for ${target}, only for ${targets.join(", ")}.`);
	const [installed] = binariesIn(join(root, "node_modules", name));
	const [binary] = installed ? [installed] : binariesIn(await obtainPackage(`${name}@${lancedbVersion()}`));
	if (!binary) throw new Error(`${name} holds no binary.`);
	return binary;
}

function binariesIn(folder: string): string[] {
	return globSync("*.node", { cwd: folder }).map((file) => join(folder, file));
}

function lancedbVersion(): string {
	const manifest = readFileSync(join(root, "node_modules", "@lancedb", "lancedb", "package.json"), "utf8");
	return (JSON.parse(manifest) as { version: string }).version;
}
