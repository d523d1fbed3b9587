import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-jsonrpc/node";
import type { Ports } from "../../src/protocol/ports.ts";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { filesChanged, type WorkerOptions } from "../../src/protocol/worker.ts";
import { WORKER_ENVIRONMENT, WORKER_FLAGS } from "../../src/protocol/workerStart.ts";
import { root } from "../paths.ts";

/** The shipped worker in its own process. */
export interface WorkerRun {
	readonly knowledge: Ports["knowledge"];
	readonly graph: Ports["graph"];
	readonly things: Ports["things"];
	changed(uri: string): Promise<void>;
	/** Peak memory of the worker in MB; NaN if the system does not report it. */
	peakMb(): number;
	/** Current memory of the worker and of its parsers in MB; NaN if the system does not report it. */
	memory(): { readonly workerMb: number; readonly parsersMb: number };
	/** Processor time of the main thread so far in ms; NaN if the system does not report it. */
	workMs(): number;
	stop(): Promise<void>;
}

export async function runWorker(options: WorkerOptions): Promise<WorkerRun> {
	const child = fork(join(root, "dist/worker.cjs"), ["--node-ipc"], {
		execArgv: WORKER_FLAGS,
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
		peakMb: () => megabytesOf(child.pid ?? 0, "VmHWM"),
		memory: () => memoryOf(child.pid ?? 0),
		workMs: () => workOf(child.pid ?? 0),
		stop: async () => {
			await connection.sendRequest("shutdown");
			await connection.sendNotification("exit");
			await exited;
		},
	};
}

function memoryOf(pid: number): { workerMb: number; parsersMb: number } {
	if (process.platform !== "linux") return { workerMb: Number.NaN, parsersMb: Number.NaN };
	const parsers = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
	const parsersMb = parsers.reduce((sum, parser) => sum + megabytesOf(Number(parser), "VmRSS"), 0);
	return { workerMb: megabytesOf(pid, "VmRSS"), parsersMb };
}

/** Memory of a process; 0 if the process has ended. */
function megabytesOf(pid: number, field: "VmHWM" | "VmRSS"): number {
	if (process.platform !== "linux") return Number.NaN;
	const [, kilobytes = 0] = new RegExp(`${field}:\\s+(\\d+)`).exec(statusOf(pid)) ?? [];
	return Math.round(Number(kilobytes) / 1024);
}

function statusOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/status`, "utf8");
	} catch {
		return "";
	}
}

function workOf(pid: number): number {
	if (process.platform !== "linux") return Number.NaN;
	const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
	return Number(nanoseconds) / 1_000_000;
}
