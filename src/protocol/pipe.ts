import type { CancellationToken, ProgressType, RequestType } from "vscode-jsonrpc";
import { tokenOf } from "./cancellation.ts";
import { fromResponse } from "./failure.ts";
import type { FailureData } from "./worker.ts";

/** What a pipe to the worker must do. A `LanguageClient` and a `MessageConnection` both can. */
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

/** Asks one question; rejects with what a person can act on, or with the signal's reason. */
export async function ask<Params, Result>(
	pipe: Pipe,
	{ type, params }: { type: RequestType<Params, Result, FailureData>; params: Params },
	signal: AbortSignal,
): Promise<Result> {
	try {
		return await untilAborted(() => pipe.sendRequest(type, params, tokenOf(signal)), signal);
	} catch (thrown) {
		throw signal.aborted ? signal.reason : fromResponse(thrown);
	}
}

/** Rejects as soon as the signal aborts: the worker may need a moment to hear of it. */
async function untilAborted<T>(start: () => Promise<T>, signal: AbortSignal): Promise<T> {
	signal.throwIfAborted();
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	const abort = () => reject(signal.reason);
	signal.addEventListener("abort", abort);
	try {
		return await Promise.race([start(), aborted]);
	} finally {
		signal.removeEventListener("abort", abort);
	}
}
