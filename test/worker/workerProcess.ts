import { fork } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-jsonrpc/node";
import type { IndexStatus } from "../../src/core/knowledge/knowledge.ts";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { type SecretQuery, secret, type WorkerOptions } from "../../src/protocol/worker.ts";
import { WORKER } from "../support/programs.ts";
import { untilIt } from "../support/untilIt.ts";
import type { Workspace } from "./workspace.ts";

export type WorkerProcess = Awaited<ReturnType<typeof startWorker>>;

export const never = new AbortController().signal;
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
	const end = async () => {
		child.kill("SIGKILL");
		await exited;
	};
	t.after(end);
	const client = { processId: process.pid, rootUri: null, capabilities: {} };
	await connection.sendRequest("initialize", { ...client, initializationOptions: options });
	const ports = createPortsClient(connection);
	return {
		...ports,
		index: (rebuild = false) => ports.knowledge.index({ rebuild }, unheard, never),
		/** Searches as the chat does. */
		search: (query: string) => ports.knowledge.search({ query, door: "chat" }, never),
		/** The first status that is as expected; the test runner's limit ends what never comes. */
		untilStatus: (isExpected: (status: IndexStatus) => boolean) =>
			untilIt(() => ports.knowledge.status(never), isExpected),
		connection,
		process: child,
		/** As a crash ends it. */
		kill: end,
		/** As an editor stops it. */
		stop: async () => {
			await connection.sendRequest("shutdown");
			await connection.sendNotification("exit");
			await exited;
		},
	};
}
