import * as vscode from "vscode";
import { untilAborted } from "../base/jobs/untilAborted.ts";
import type { ToolContext } from "../core/agent/tool.ts";

/** VS Code's token as a signal. The reason is VS Code's own cancellation error, so that it may simply rise. */
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
	const cancel = () => source.cancel();
	if (signal.aborted) cancel();
	signal.addEventListener("abort", cancel);
	try {
		return await untilAborted(action(source.token), signal);
	} finally {
		signal.removeEventListener("abort", cancel);
		source.dispose();
	}
}

export function isCancellation(thrown: unknown): boolean {
	return (
		thrown instanceof vscode.CancellationError ||
		(thrown instanceof Error && (thrown.name === "Canceled" || thrown.name === "AbortError"))
	);
}

/** VS Code shows the call in the chat that it belongs to, and asks if the tool wants that. */
export async function callHostTool(
	name: string,
	input: object,
	{ signal, origin }: ToolContext,
): Promise<string> {
	const toolInvocationToken = origin as vscode.ChatParticipantToolToken | undefined;
	const { content } = await withToken(signal, (token) =>
		vscode.lm.invokeTool(name, { input, toolInvocationToken }, token),
	);
	return content
		.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))
		.filter((words) => words !== "")
		.join("\n");
}
