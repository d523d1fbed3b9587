import * as vscode from "vscode";
import type { Things } from "../../core/knowledge/graph.ts";
import type { GraphRequest, GraphUpdate } from "../../protocol/graphView.ts";
import { linesRange } from "../folders.ts";
import { DOOR } from "../language/namedDocument.ts";

const FOUND = 20;

const MOST = 10_000;

export async function answerGraph(
	request: GraphRequest,
	things: Things,
	signal: AbortSignal,
): Promise<GraphUpdate | undefined> {
	switch (request.kind) {
		case "ready":
			return undefined;
		case "expand": {
			const { iris, shown } = request;
			return {
				kind: "added",
				picture: await things.neighbours({ iris, shown, ...DOOR }, signal),
				focus: iris,
			};
		}
		case "overview":
			return overview(things, signal);
		case "search": {
			const { words } = request;
			return { kind: "found", words, things: await things.find({ words, limit: FOUND, ...DOOR }, signal) };
		}
		case "path":
			return findPath(request, things, signal);
		case "open":
			await vscode.window.showTextDocument(vscode.Uri.parse(request.uri), {
				selection: linesRange(request),
				viewColumn: vscode.ViewColumn.One,
			});
			return undefined;
	}
}

/** What has the most links, of all that the chat may see. */
export async function overview(things: Things, signal: AbortSignal): Promise<GraphUpdate> {
	return { kind: "shown", picture: await things.overview({ limit: MOST, ...DOOR }, signal), focus: [] };
}

async function findPath(
	{ from, to, shown }: Extract<GraphRequest, { kind: "path" }>,
	things: Things,
	signal: AbortSignal,
): Promise<GraphUpdate> {
	const { things: found } = await things.path({ from, to, ...DOOR }, signal);
	const way = found.map(({ id }) => id);
	const picture = await things.neighbours({ iris: way, shown, limit: 0, ...DOOR }, signal);
	return { kind: "path", picture, way };
}
