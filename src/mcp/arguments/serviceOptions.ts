import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { Failure } from "../../base/failure.ts";
import { uriOfPath } from "../../base/files/uriOfPath.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import { withUniqueNames } from "../../core/knowledge/path.ts";
import type { McpArguments } from "../../protocol/mcpArguments.ts";
import type { WorkerOptions } from "../../protocol/worker.ts";
import { dataFolderOf } from "./dataFolder.ts";

/** What the worker needs, of what the command line says. Fails with BAD_INPUT where a folder is none. */
export function optionsOf(
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

/** Absolute. */
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
