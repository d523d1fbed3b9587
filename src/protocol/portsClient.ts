import { ProgressType, RequestType } from "vscode-jsonrpc";
import { outgoingTrace } from "../base/traces/traceContext.ts";
import { ask, type Pipe } from "./pipe.ts";
import { type CallParams, createPorts, type Ports, requestName } from "./ports.ts";
import type { FailureData } from "./worker.ts";

type Listener = (value: unknown) => void;

export const progressOfCall = new ProgressType<unknown>();

/** The ports, asked over a pipe. A pipe that closes rejects what is open with `WORKER_STOPPED`. */
export function createPortsClient(pipe: Pipe): Ports {
	let calls = 0;
	return createPorts(async (address, all) => {
		const signal = all.at(-1) as AbortSignal;
		const args = all.slice(0, -1);
		const listener = args.find((arg): arg is Listener => typeof arg === "function");
		const type = new RequestType<CallParams, unknown, FailureData>(requestName(address));
		const trace = outgoingTrace();
		if (!listener) return ask(pipe, { type, params: { args, ...trace } }, signal);
		const progress = ++calls;
		const subscription = pipe.onProgress(progressOfCall, progress, listener);
		try {
			const plain = args.map((arg) => (arg === listener ? null : arg));
			return await ask(pipe, { type, params: { args: plain, progress, ...trace } }, signal);
		} finally {
			subscription.dispose();
		}
	});
}
