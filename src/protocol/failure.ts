import { ConnectionErrors, ErrorCodes, ResponseError } from "vscode-jsonrpc";
import { Failure } from "../base/failure.ts";
import type { FailureData } from "./worker.ts";

/** The code that LSP gives to a request that the client cancelled. */
const REQUEST_CANCELLED = -32800;
/** The code that LSP gives to a request that was understood but cannot be answered. */
const REQUEST_FAILED = -32803;

const PIPE_CLOSED: readonly number[] = [
	ErrorCodes.PendingResponseRejected,
	ErrorCodes.ConnectionInactive,
	ErrorCodes.MessageWriteError,
	ConnectionErrors.Closed,
	ConnectionErrors.Disposed,
];

/** What was thrown, as it goes over the pipe. A bug stays as it is: the connection makes an internal error of it. */
export function toResponse(thrown: unknown, signal: AbortSignal): unknown {
	if (signal.aborted) return new ResponseError(REQUEST_CANCELLED, "The request was canceled.");
	if (!(thrown instanceof Failure)) return thrown;
	return new ResponseError<FailureData>(REQUEST_FAILED, thrown.message, { code: thrown.code });
}

/** What a request was rejected with, as the asker must see it. */
export function fromResponse(thrown: unknown): unknown {
	if (!isResponseError(thrown)) return thrown;
	if (PIPE_CLOSED.includes(thrown.code)) {
		const message = "The background process stopped while answering. Ask again: it is restarted.";
		return new Failure("WORKER_STOPPED", message, { cause: thrown });
	}
	if (thrown.code === REQUEST_CANCELLED) return new DOMException(thrown.message, "AbortError");
	return thrown.data?.code ? new Failure(thrown.data.code, thrown.message, { cause: thrown }) : thrown;
}

/** By its shape: the class may come from another bundle's copy of the library. */
function isResponseError(thrown: unknown): thrown is Error & { code: number; data?: FailureData } {
	return thrown instanceof Error && "code" in thrown && typeof thrown.code === "number";
}
