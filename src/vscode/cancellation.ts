import { addAbortListener } from "node:events";
import * as vscode from "vscode";
import { untilAborted } from "../base/jobs/untilAborted.ts";
import type { ToolContext } from "../core/agent/tool.ts";

/** Converts VS Code's token to a signal, with VS Code's cancellation error as the reason, for rethrowing. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
	const controller = new AbortController();
	const abort = () => controller.abort(new vscode.CancellationError());
	if (token.isCancellationRequested) abort();
	else token.onCancellationRequested(abort);
	return controller.signal;
}

export async function withToken<T>(
	signal: AbortSignal,
	action: (token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
	const source = new vscode.CancellationTokenSource();
	using _ = addAbortListener(signal, () => source.cancel());
	try {
		return await untilAborted(action(source.token), signal);
	} finally {
		source.dispose();
	}
}

export function isCancellation(thrown: unknown): boolean {
	return (
		thrown instanceof vscode.CancellationError ||
		(thrown instanceof Error && (thrown.name === "Canceled" || thrown.name === "AbortError"))
	);
}

/** Runs a task with progress: in the status bar or, with `total` parts, in a notification that can cancel the task. */
export function withProgress<Result>(
	{ title, total }: { readonly title?: string; readonly total?: number },
	run: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
): Thenable<Result> {
	const { Notification, Window } = vscode.ProgressLocation;
	const location = total === undefined ? Window : Notification;
	const options = { location, cancellable: true, ...(title !== undefined && { title }) };
	const increment = 100 / Math.max(1, total ?? 1);
	return vscode.window.withProgress(options, (progress, token) =>
		run((message) => progress.report({ message, increment }), signalOf(token)),
	);
}

/** Calls a tool through VS Code, which shows the call in its chat and asks the user if the tool requires it. */
export async function callHostTool(name: string, input: object, { signal, origin }: ToolContext) {
	const toolInvocationToken = origin as vscode.ChatParticipantToolToken | undefined;
	const { content } = await withToken(signal, (token) =>
		vscode.lm.invokeTool(name, { input, toolInvocationToken }, token),
	);
	const texts = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""));
	return texts.filter((text) => text !== "").join("\n");
}
