import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { Failure, isFailure } from "../base/failure.ts";
import { uriOfPath } from "../base/files/paths.ts";
import type { Folder } from "../core/knowledge/knowledge.ts";
import { withUniqueNames } from "../core/knowledge/path.ts";
import type { McpArguments, WorkerOptions } from "../protocol/worker.ts";
import { helpText } from "./arguments/help.ts";
import { parseMcpArguments } from "./arguments/parseArguments.ts";
import { readSecrets } from "./arguments/secrets.ts";
import type { checkFiles } from "./checkFiles.ts";
import { findPrograms } from "./programs.ts";
import type { reportProblem } from "./reportProblem.ts";
import type { runFolderTests } from "./runFolderTests.ts";
import { serveStdio } from "./serveStdio.ts";

// The MCP program: it answers a client over standard input and output until the input ends.
try {
	const programs = findPrograms(realpathSync(process.argv[1] ?? ""));
	const cache = cacheFolder(process.env, process.platform);
	const args = parseMcpArguments(process.argv.slice(2));
	if (args === "help") process.stdout.write(helpText(cache));
	else if (args === "version") process.stdout.write(`${programs.version}\n`);
	else {
		const options = optionsOf(args, { cache, modelFolder: programs.modelFolder });
		const { isTextOnly, isTest, junit, isCheck, model, otlp, agents: limits } = args;
		const secrets = readSecrets(process.env);
		const consents = { permissions: args.permissions, allowed: args.allowed, agreed: args.agreed };
		if (args.problemReport)
			void runReport(programs, { file: resolve(args.problemReport), options, secrets, given: args });
		else if (isTest) void runTests(programs, { options, secrets, model, limits, junit });
		else if (isCheck) void runCheck(programs, { options, secrets, ...consents });
		else
			serveStdio(programs, { options, isStructured: !isTextOnly, secrets, model, limits, otlp, ...consents });
	}
} catch (thrown) {
	if (!isFailure(thrown)) throw thrown;
	process.stderr.write(`${thrown.message}\nTry --help.\n`);
	process.exitCode = 2;
}

async function runCheck(...run: Parameters<typeof checkFiles>): Promise<void> {
	const { checkFiles } = await import("./checkFiles.ts");
	process.exit(await checkFiles(...run));
}

async function runReport(...run: Parameters<typeof reportProblem>): Promise<void> {
	const { reportProblem } = await import("./reportProblem.ts");
	process.exit(await reportProblem(...run));
}

async function runTests(...run: Parameters<typeof runFolderTests>): Promise<void> {
	const { runFolderTests } = await import("./runFolderTests.ts");
	process.exit(await runFolderTests(...run));
}

/** The worker's options from the command line. Throws BAD_INPUT if a folder is missing or not a folder. */
function optionsOf(
	{ workspaces, data, sessions, excludes, agentInstructions, graphEndpoint, storage, ...more }: McpArguments,
	{ cache, modelFolder }: { readonly cache: string; readonly modelFolder: string },
): WorkerOptions {
	const { search, embedding } = more;
	const roots = [...new Set(workspaces.map(existingFolder))];
	return {
		dataFolder: data ? resolve(data) : dataFolderOf(cache, roots),
		...(sessions && { sessionsFolder: resolve(sessions) }),
		modelFolder,
		folders: withUniqueNames(roots.map(toFolder)),
		excludes,
		...(agentInstructions && { agentInstructions }),
		...(graphEndpoint && { graphEndpoint }),
		...(storage && { storage }),
		...(search && { search }),
		...(embedding && { embedding }),
	};
}

function existingFolder(path: string): string {
	const absolute = resolve(path);
	if (!isFolder(absolute)) throw new Failure("BAD_INPUT", `${absolute} is not a folder that can be read.`);
	return absolute;
}

function isFolder(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		// Whatever the reason, nothing can be answered from it.
		return false;
	}
}

function toFolder(path: string): Folder {
	return { uri: uriOfPath(path).replace(/\/$/, ""), name: basename(path) };
}

/** The default place for the indexes of all workspaces: a cache, since they can be rebuilt. */
function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
	return join(userCache(env, platform), "copilot-ld");
}

/** The folder of one index, whatever the order in which its workspaces are given. Paths are absolute. */
function dataFolderOf(cache: string, workspaces: readonly string[]): string {
	const names = [...workspaces].sort().join("\n");
	return join(cache, createHash("sha256").update(names).digest("hex").slice(0, 16));
}

function userCache({ XDG_CACHE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
	if (platform === "win32") return LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
	if (platform === "darwin") return join(homedir(), "Library", "Caches");
	return XDG_CACHE_HOME || join(homedir(), ".cache");
}
