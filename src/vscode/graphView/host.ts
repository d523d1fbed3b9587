import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { citationsIn } from "../../core/knowledge/citation.ts";
import type { Place, Things } from "../../core/knowledge/graph.ts";
import { type GraphRequest, type GraphUpdate, graphRequest } from "../../protocol/graphView.ts";
import { linesRange, locationOf } from "../folders.ts";
import { subjectOfNode } from "../knowledgeView/subject.ts";
import { toldOf } from "../l10n.ts";
import { CHANNEL, fileUriOf, nameUnder } from "../language/namedDocument.ts";
import { readTurn, turnNameOf } from "../turn/turnOf.ts";
import { fillWebview } from "../webviewPage.ts";
import type { WorkerLink } from "../worker/link.ts";
import type { EditorServices } from "../worker/readiness.ts";

export type GraphHost = ReturnType<typeof openGraphView>;

/** Maximum number of resources at the center of one picture. */
const MOST = 40;
const MOST_IN_OVERVIEW = 10_000;
const FOUND = 20;

export function openGraphView(services: EditorServices, onClose: () => void) {
	const { worker, readiness, context, log } = services;
	const panel = vscode.window.createWebviewPanel(
		"copilot-ld.graph",
		vscode.l10n.t("Graph"),
		{ viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
		{ retainContextWhenHidden: true },
	);
	const closing = new AbortController();
	const ready = Promise.withResolvers<void>();
	const tell = async (update: GraphUpdate | undefined) => {
		if (update && !closing.signal.aborted) await panel.webview.postMessage(update);
	};
	const receive = async (message: unknown) => {
		const { success, data: request } = graphRequest.safeParse(message);
		if (!success) return log.warn("The graph view sent something that is no request.");
		if (request.kind === "ready") return ready.resolve();
		try {
			await tell(await answerGraph(request, worker.things, closing.signal));
		} catch (thrown) {
			await tell({ kind: "failed", message: toldOf(thrown) });
		}
	};
	panel.webview.onDidReceiveMessage(receive);
	panel.onDidDispose(() => {
		closing.abort(new vscode.CancellationError());
		ready.resolve();
		onClose();
	});
	const title = vscode.l10n.t("Copilot-LD graph");
	fillWebview(panel.webview, context.extensionUri, { title, program: "graphView" });
	return {
		show: async (target: readonly unknown[]) => {
			panel.reveal(undefined, true);
			const { signal } = closing;
			await readiness.ensure(() => undefined, signal);
			const iris = await targetOf(target, worker, signal);
			const update: GraphUpdate = iris
				? {
						kind: "shown",
						picture: await worker.things.neighbours({ iris, ...CHANNEL }, signal),
						focus: iris,
					}
				: await overview(worker.things, signal);
			await ready.promise;
			await tell(update);
		},
		dispose: () => panel.dispose(),
	};
}

/** Returns the resources that a command targets; `undefined` if there are none, to show the overview. */
async function targetOf(target: readonly unknown[], { things, sessions }: WorkerLink, signal: AbortSignal) {
	const [first, second] = target;
	const turn = turnNameOf(first, second);
	if (turn) {
		const { answer } = await readTurn(sessions, turn);
		const places = citationsIn(answer).flatMap(({ citation }) => placeOf(locationOf(citation)));
		const iris = await things.at({ places, ...CHANNEL }, signal);
		const none = vscode.l10n.t("The lines that this answer cites describe nothing in the graph.");
		if (iris.length === 0) throw new Failure("NOT_FOUND", none);
		return iris.slice(0, MOST);
	}
	const pointed = subjectOfNode(first);
	const iri = typeof first === "string" ? first : pointed?.iri;
	if (iri !== undefined) return [iri];
	const editor = vscode.window.activeTextEditor;
	const uri = pointed?.uri ?? editor?.document.uri;
	if (uri?.scheme !== "file") return undefined;
	const name = editor && !pointed && nameUnder(editor.document, editor.selection.active)?.name;
	if (name) return [name.iri];
	const described = await things.described({ uri: fileUriOf(uri), ...CHANNEL }, signal);
	return described.length === 0 ? undefined : described.map(({ id }) => id).slice(0, MOST);
}

function placeOf(location: vscode.Location | undefined): Place[] {
	if (!location) return [];
	const { uri, range } = location;
	return [{ uri: fileUriOf(uri), lines: { start: range.start.line + 1, end: range.end.line + 1 } }];
}

async function answerGraph(
	request: Exclude<GraphRequest, { kind: "ready" }>,
	things: Things,
	signal: AbortSignal,
): Promise<GraphUpdate | undefined> {
	switch (request.kind) {
		case "expand": {
			const { iris, shown } = request;
			const picture = await things.neighbours({ iris, shown, ...CHANNEL }, signal);
			return { kind: "added", picture, focus: iris };
		}
		case "overview":
			return overview(things, signal);
		case "search": {
			const { words } = request;
			return { kind: "found", words, things: await things.find({ words, limit: FOUND, ...CHANNEL }, signal) };
		}
		case "path": {
			const { from, to, shown } = request;
			const { things: found } = await things.path({ from, to, ...CHANNEL }, signal);
			const way = found.map(({ id }) => id);
			const picture = await things.neighbours({ iris: way, shown, limit: 0, ...CHANNEL }, signal);
			return { kind: "path", picture, way };
		}
		case "open":
			await vscode.window.showTextDocument(vscode.Uri.parse(request.uri), {
				selection: linesRange(request),
				viewColumn: vscode.ViewColumn.One,
			});
			return undefined;
	}
}

async function overview(things: Things, signal: AbortSignal): Promise<GraphUpdate> {
	const picture = await things.overview({ limit: MOST_IN_OVERVIEW, ...CHANNEL }, signal);
	return { kind: "shown", picture, focus: [] };
}
