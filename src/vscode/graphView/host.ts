import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { type GraphRequest, type GraphUpdate, graphRequest } from "../../protocol/graphView.ts";
import { toldOf } from "../reported.ts";
import { webviewPage } from "../webviewPage.ts";
import { answerGraph, DOOR, overview } from "./answers.ts";
import type { GraphViewDeps } from "./deps.ts";
import { targetOf } from "./target.ts";

/** The panel while it is open. */
export interface GraphHost extends vscode.Disposable {
	/** Shows what a command was called for: a turn, a thing, or what the editor is at. */
	show(target: readonly unknown[]): Promise<void>;
}

export function openGraphView(deps: GraphViewDeps, onClose: () => void): GraphHost {
	const panel = vscode.window.createWebviewPanel(
		"copilot-ld.graph",
		vscode.l10n.t("Graph"),
		{ viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
		{
			enableScripts: true,
			retainContextWhenHidden: true,
			localResourceRoots: [vscode.Uri.joinPath(deps.extensionUri, "dist")],
		},
	);
	const closing = new AbortController();
	const ready = Promise.withResolvers<void>();
	const tell = async (update: GraphUpdate | undefined) => {
		if (update && !closing.signal.aborted) await panel.webview.postMessage(update);
	};
	const receive = async (message: unknown) => {
		const { success, data: request } = graphRequest.safeParse(message);
		if (!success) return deps.log.warn("The graph view sent something that is no request.");
		if (request.kind === "ready") ready.resolve();
		await tell(await answer(request, deps, closing.signal));
	};
	panel.webview.onDidReceiveMessage(receive);
	panel.onDidDispose(() => {
		closing.abort(new vscode.CancellationError());
		ready.resolve();
		onClose();
	});
	fill(panel.webview, deps.extensionUri);
	return {
		show: async (target) => {
			panel.reveal(undefined, true);
			const { signal } = closing;
			await deps.readiness.ensure(() => undefined, signal);
			const iris = await targetOf(target, deps, signal);
			const update = iris ? await around(iris, deps, signal) : await overview(deps.things, signal);
			await ready.promise;
			await tell(update);
		},
		dispose: () => panel.dispose(),
	};
}

async function around(
	iris: readonly string[],
	{ things }: GraphViewDeps,
	signal: AbortSignal,
): Promise<GraphUpdate> {
	return { kind: "shown", picture: await things.neighbours({ iris, ...DOOR }, signal), focus: iris };
}

async function answer(
	request: GraphRequest,
	deps: GraphViewDeps,
	signal: AbortSignal,
): Promise<GraphUpdate | undefined> {
	try {
		return await answerGraph(request, deps.things, signal);
	} catch (thrown) {
		if (signal.aborted) return undefined;
		return { kind: "failed", message: toldOf(thrown) };
	}
}

function fill(webview: vscode.Webview, extensionUri: vscode.Uri): void {
	const programs = vscode.Uri.joinPath(extensionUri, "dist");
	webview.html = webviewPage(
		{ title: vscode.l10n.t("Copilot-LD graph"), program: "graphView" },
		{
			address: (file) => webview.asWebviewUri(vscode.Uri.joinPath(programs, file)).toString(),
			cspSource: webview.cspSource,
			nonce: randomBytes(16).toString("base64url"),
			words: { language: vscode.env.language, bundle: vscode.l10n.bundle },
		},
	);
}
