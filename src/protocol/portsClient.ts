import { type CancellationToken, CancellationTokenSource, ProgressType, RequestType } from "vscode-jsonrpc";
import { untilAborted } from "../base/jobs/untilAborted.ts";
import { outgoingTrace } from "../base/traces/traceContext.ts";
import { type CallParams, createPorts, type Ports, requestName } from "./ports.ts";
import { type FailureData, fromResponse } from "./worker.ts";

export const progressOfCall = new ProgressType<unknown>();

/** Creates ports that call the worker. If the pipe closes, open calls reject with `WORKER_STOPPED`. */
export function createPortsClient(pipe: Pipe): Ports {
	let calls = 0;
	return createPorts(async (address, all) => {
		const signal = all.at(-1) as AbortSignal;
		const args = all.slice(0, -1);
		const listener = args.find((arg): arg is (value: unknown) => void => typeof arg === "function");
		const type = new RequestType<CallParams, unknown, FailureData>(requestName(address));
		const trace = outgoingTrace();
		if (!listener) return ask(pipe, { type, params: { args, ...trace } }, signal);
		const progress = ++calls;
		const subscription = pipe.onProgress(progressOfCall, progress, listener);
		const plain = args.map((arg) => (arg === listener ? null : arg));
		const answer = ask(pipe, { type, params: { args: plain, progress, ...trace } }, signal);
		return answer.finally(() => subscription.dispose());
	});
}

/** The methods that `LanguageClient` and `MessageConnection` have in common. */
export interface Pipe {
	sendRequest<Params, Result>(
		type: RequestType<Params, Result, FailureData>,
		params: Params,
		token: CancellationToken,
	): Promise<Result>;
	onProgress<Params>(
		type: ProgressType<Params>,
		token: number,
		listener: (params: Params) => void,
	): { dispose(): void };
}

/** Sends one request; rejects with a `Failure` that the user can act on, or with the signal's reason. */
export async function ask<Params, Result>(
	pipe: Pipe,
	{ type, params }: { type: RequestType<Params, Result, FailureData>; params: Params },
	signal: AbortSignal,
): Promise<Result> {
	const source = new CancellationTokenSource();
	const cancel = () => source.cancel();
	signal.addEventListener("abort", cancel);
	try {
		signal.throwIfAborted();
		return await untilAborted(pipe.sendRequest(type, params, source.token), signal);
	} catch (thrown) {
		throw signal.aborted ? signal.reason : fromResponse(thrown);
	} finally {
		signal.removeEventListener("abort", cancel);
	}
}

/** Returns a signal that aborts when the token is canceled. Dispose the result when the work is over. */
export function signalOf(token: CancellationToken): { readonly signal: AbortSignal } & Disposable {
	const controller = new AbortController();
	const abort = () => controller.abort(new DOMException("The request was canceled.", "AbortError"));
	if (token.isCancellationRequested) abort();
	const subscription = token.onCancellationRequested(abort);
	return { signal: controller.signal, [Symbol.dispose]: () => subscription.dispose() };
}
