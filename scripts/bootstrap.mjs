// Runs one of our TypeScript programs on a machine that has only Node and npm:
// `node scripts/bootstrap.mjs scripts/start.ts …`. Plain JavaScript, because an old Node must be able to read it.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");

if (Number.parseInt(process.versions.node, 10) < 20) {
	fail(`Node ${process.versions.node} is too old. Install Node 20 or newer from https://nodejs.org.`);
}
if (!isInstalled()) install();
runProgram();

/** Whether npm's record of installed packages contains every package of the lock file in its version. */
function isInstalled() {
	const record = join(modules, ".package-lock.json");
	if (!existsSync(record)) return false;
	const installed = packagesOf(record);
	return Object.entries(packagesOf(join(root, "package-lock.json"))).every(
		([path, { version, optional }]) =>
			path === "" || (installed[path] ? installed[path].version === version : optional === true),
	);
}

function packagesOf(lockFile) {
	return JSON.parse(readFileSync(lockFile, "utf8")).packages;
}

function install() {
	console.error("▸ Installing dependencies …");
	const isWindows = process.platform === "win32";
	const args = ["ci", "--no-audit", "--no-fund", "--loglevel", "error"];
	const { status, error } = spawnSync(isWindows ? "npm.cmd" : "npm", args, {
		cwd: root,
		stdio: ["ignore", process.stderr, process.stderr],
		shell: isWindows,
	});
	if (error) fail(`npm did not start: ${error.message}. Install Node with npm from https://nodejs.org.`);
	if (status !== 0) fail("npm ci did not succeed; the lines above say why. Mend that and run this again.");
}

/** Runs the program with our own Node, and forwards arguments, streams and signals. */
function runProgram() {
	const node = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");
	const env = { ...process.env, PATH: [join(modules, ".bin"), process.env.PATH].join(delimiter) };
	const child = spawn(node, process.argv.slice(2), { cwd: root, stdio: "inherit", env });
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
	child.on("error", (error) =>
		fail(`${node} did not start: ${error.message}. Remove node_modules and run this again.`),
	);
	child.on("close", (code, signal) => {
		process.exitCode = code ?? 128 + (signal === "SIGINT" ? 2 : 15);
	});
}

function fail(message) {
	console.error(message);
	process.exit(1);
}
