import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { Failure, isFailure } from "../base/failure.ts";
import { uriOfPath } from "../base/files/paths.ts";
import { withUniqueNames } from "../core/knowledge/path.ts";
import type { McpArguments } from "../protocol/worker.ts";
import { helpText } from "./arguments/help.ts";
import { findPrograms, type McpRun, readSecrets, tell } from "./arguments/mcpRun.ts";
import { parseMcpArguments } from "./arguments/parseArguments.ts";
import { serveStdio } from "./serveStdio.ts";

// The MCP program: serves a client over standard input and output until the input ends.
try {
	const programs = findPrograms(realpathSync(process.argv[1] ?? ""));
	// Indexes are kept in a cache by default, because they can be rebuilt.
	const cache = join(userCache(process.env, process.platform), "copilot-ld");
	const args = parseMcpArguments(process.argv.slice(2));
	if (args === "help") process.stdout.write(helpText(cache));
	else if (args === "version") process.stdout.write(`${programs.version}\n`);
	else {
		const run = runOf(args, programs, cache);
		if (args.problemReport || args.isTest || args.isCheck)
			void exitCodeOf(run).then((code) => process.exit(code));
		else serveStdio(run);
	}
} catch (thrown) {
	if (!isFailure(thrown)) throw thrown;
	tell(`${thrown.message}\nTry --help.`);
	process.exitCode = 2;
}

async function exitCodeOf(run: McpRun): Promise<number> {
	const { problemReport, isTest } = run.args;
	if (isTest && !problemReport) return (await import("./jobs.ts")).runFolderTests(run);
	const { reportProblem, checkFiles } = await import("./jobs.ts");
	return problemReport ? reportProblem(run, resolve(problemReport)) : checkFiles(run);
}

function runOf(args: McpArguments, programs: McpRun["programs"], cache: string): McpRun {
	const { workspaces, data, sessions, excludes } = args;
	const { agentInstructions, graphEndpoint, storage, search, embedding } = args;
	const paths = [...new Set(workspaces.map(existingFolder))];
	const folders = withUniqueNames(
		paths.map((path) => ({ uri: uriOfPath(path).replace(/\/$/, ""), name: basename(path) })),
	);
	const options = {
		dataFolder: data ? resolve(data) : join(cache, nameOf(paths)),
		sessionsFolder: sessions && resolve(sessions),
		modelFolder: programs.modelFolder,
		folders,
		excludes,
		agentInstructions,
		graphEndpoint,
		storage,
		search,
		embedding,
	};
	const secrets = readSecrets(process.env);
	return { programs, args, options, secrets, paths, workspace: folders[0]?.uri ?? "" };
}

function existingFolder(path: string): string {
	const absolute = resolve(path);
	try {
		if (statSync(absolute).isDirectory()) return absolute;
	} catch {
		// Any error means that the folder cannot be used.
	}
	throw new Failure("BAD_INPUT", `${absolute} is not a folder that can be read.`);
}

function nameOf(workspaces: readonly string[]): string {
	return createHash("sha256").update(workspaces.toSorted().join("\n")).digest("hex").slice(0, 16);
}

function userCache({ XDG_CACHE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
	if (platform === "win32") return LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
	if (platform === "darwin") return join(homedir(), "Library", "Caches");
	return XDG_CACHE_HOME || join(homedir(), ".cache");
}
