import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-jsonrpc/node";
import type { Ports } from "../../src/protocol/ports.ts";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { filesChanged, type WorkerOptions } from "../../src/protocol/worker.ts";
import { WORKER_ENVIRONMENT } from "../../src/protocol/workerEnvironment.ts";
import { root } from "../paths.ts";

/** The worker as it is built and shipped, in a process of its own. */
export interface WorkerRun {
	readonly knowledge: Ports["knowledge"];
	readonly graph: Ports["graph"];
	readonly things: Ports["things"];
	changed(uri: string): Promise<void>;
	/** The most memory that it ever had, in MB; NaN where the system does not tell. */
	peakMb(): number;
	/** What its main thread has taken of the processor so far, in ms; NaN where the system does not tell. */
	workMs(): number;
	stop(): Promise<void>;
}

export async function runWorker(options: WorkerOptions): Promise<WorkerRun> {
	const child = fork(join(root, "dist/worker.cjs"), ["--node-ipc"], {
		execArgv: [],
		env: { ...process.env, ...WORKER_ENVIRONMENT },
	});
	const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
	const exited = once(child, "exit");
	child.once("exit", () => connection.dispose());
	connection.listen();
	await connection.sendRequest("initialize", {
		...{ processId: process.pid, rootUri: null, capabilities: {} },
		initializationOptions: options,
	});
	const ports = createPortsClient(connection);
	return {
		knowledge: ports.knowledge,
		graph: ports.graph,
		things: ports.things,
		changed: (uri) => connection.sendNotification(filesChanged, { uris: [uri] }),
		peakMb: () => peakOf(child.pid ?? 0),
		workMs: () => workOf(child.pid ?? 0),
		stop: async () => {
			await connection.sendRequest("shutdown");
			await connection.sendNotification("exit");
			await exited;
		},
	};
}

function peakOf(pid: number): number {
	if (process.platform !== "linux") return Number.NaN;
	const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
	return Math.round(Number(kilobytes) / 1024);
}

function workOf(pid: number): number {
	if (process.platform !== "linux") return Number.NaN;
	const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
	return Number(nanoseconds) / 1_000_000;
}
