import type { CancellationToken } from "vscode-jsonrpc";

export function tokenOf(signal: AbortSignal): CancellationToken {
	return {
		get isCancellationRequested() {
			return signal.aborted;
		},
		onCancellationRequested: (listener, scope) => {
			const notify = () => listener.call(scope, undefined);
			signal.addEventListener("abort", notify, { once: true });
			return { dispose: () => signal.removeEventListener("abort", notify) };
		},
	};
}

/** A signal that aborts when the token is cancelled. Dispose it when the work is over. */
export function signalOf(token: CancellationToken): { readonly signal: AbortSignal } & Disposable {
	const controller = new AbortController();
	const abort = () => controller.abort(new DOMException("The request was canceled.", "AbortError"));
	if (token.isCancellationRequested) abort();
	const subscription = token.onCancellationRequested(abort);
	return { signal: controller.signal, [Symbol.dispose]: () => subscription.dispose() };
}
