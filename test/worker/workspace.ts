import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-jsonrpc/node";
import type { Folder, IndexStatus } from "../../src/core/knowledge/knowledge.ts";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { type SecretQuery, secret, type WorkerOptions } from "../../src/protocol/worker.ts";
import { makeFolder } from "../support/folder.ts";
import { WORKER } from "../support/programs.ts";
import { untilIt } from "../support/untilIt.ts";

export const never = new AbortController().signal;

export type Files = Readonly<Record<string, string | Uint8Array>>;

export const PEOPLE = `<!doctype html>
<title>People</title>
<article itemscope itemtype="https://schema.org/Person" itemid="https://example.org/anna">
	<h2 itemprop="name">Anna Holm</h2>
	<p itemprop="jobTitle">Keeper of the lamp</p>
</article>
`;

export function emptyFiles(names: string | readonly string[]): Files {
	const all = typeof names === "string" ? names.split(" ") : names;
	return Object.fromEntries(all.map((name) => [name, ""]));
}

export async function startIndexed(t: TestContext, files: Files, options: Partial<WorkerOptions> = {}) {
	const workspace = await makeWorkspace(t, files);
	const worker = await startIn(t, workspace, options);
	await worker.index();
	return { ...worker, workspace };
}

export type Workspace = Awaited<ReturnType<typeof makeWorkspace>>;

export async function makeWorkspace(t: TestContext, files: Files = {}) {
	const home = await makeFolder(t);
	const root = join(home, "files");
	const path = (name: string) => join(root, name);
	const folder: Folder = { uri: pathToFileURL(root).href, name: "files" };
	const workspace = {
		...{ root, folder, path },
		/** Folder for an index, outside the folder of files. */
		dataFolder: join(home, "data"),
		uri: (name: string) => pathToFileURL(path(name)).href,
		/** Paths of all files, with slashes. */
		list: async () => {
			const entries = await readdir(root, { recursive: true, withFileTypes: true });
			const files = entries.filter((entry) => entry.isFile());
			const names = files.map((entry) => relative(root, join(entry.parentPath, entry.name)));
			return names.map((name) => name.replaceAll(sep, "/")).sort();
		},
		write: async (added: Files) => {
			// Synchronous, because thousands of promises take several times as long.
			for (const [name, content] of Object.entries(added)) {
				mkdirSync(dirname(path(name)), { recursive: true });
				writeFileSync(path(name), content);
			}
		},
		move: async (from: string, to: string) => {
			await mkdir(dirname(path(to)), { recursive: true });
			await rename(path(from), path(to));
		},
		remove: (name: string) => rm(path(name), { recursive: true }),
	};
	await mkdir(root, { recursive: true });
	await workspace.write(files);
	return workspace;
}

export type WorkerProcess = Awaited<ReturnType<typeof startWorker>>;

export const unheard = () => undefined;
export const MODEL_FOLDER = "media/model";

export function startIn(
	t: TestContext,
	{ dataFolder, folder }: Pick<Workspace, "dataFolder" | "folder">,
	options: Partial<WorkerOptions> = {},
	secrets?: (query: SecretQuery) => string | null,
): Promise<WorkerProcess> {
	return startWorker(t, { dataFolder, modelFolder: MODEL_FOLDER, folders: [folder], ...options }, secrets);
}

export async function startWorker(
	t: TestContext,
	options: WorkerOptions,
	secrets: (query: SecretQuery) => string | null = () => null,
) {
	const child = fork(WORKER, ["--node-ipc"], { execArgv: [] });
	const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
	child.once("exit", () => connection.dispose());
	connection.onRequest(secret.method, secrets);
	connection.listen();
	const exited = once(child, "exit");
	const kill = async () => {
		child.kill("SIGKILL");
		await exited;
	};
	t.after(kill);
	const client = { processId: process.pid, rootUri: null, capabilities: {} };
	await connection.sendRequest("initialize", { ...client, initializationOptions: options });
	const ports = createPortsClient(connection);
	return {
		...ports,
		index: (rebuild = false) => ports.knowledge.index({ rebuild }, unheard, never),
		search: (query: string) => ports.knowledge.search({ query, channel: "chat" }, never),
		untilStatus: (isExpected: (status: IndexStatus) => boolean) =>
			untilIt(() => ports.knowledge.status(never), isExpected),
		connection,
		process: child,
		/** Ends the worker like a crash. */
		kill,
		/** Stops the worker as an editor does. */
		stop: async () => {
			await connection.sendRequest("shutdown");
			await connection.sendNotification("exit");
			await exited;
		},
	};
}
