import type { CancellationToken, ProgressType, RequestType } from "vscode-jsonrpc";
import { untilAborted } from "../base/jobs/untilAborted.ts";
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
		signal.throwIfAborted();
		// The worker may need a moment to hear of it.
		return await untilAborted(pipe.sendRequest(type, params, tokenOf(signal)), signal);
	} catch (thrown) {
		throw signal.aborted ? signal.reason : fromResponse(thrown);
	}
}
