import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { citationsIn } from "../../core/knowledge/citation.ts";
import type { Place } from "../../core/knowledge/things.ts";
import { locationOf } from "../folders.ts";
import { fileUriOf, nameUnder } from "../language/namedDocument.ts";
import { readTurn, turnNameOf } from "../turn/turnOf.ts";
import { DOOR } from "./answers.ts";
import type { GraphViewDeps } from "./deps.ts";

/** Things that are in the middle of one picture. */
const MOST = 40;

/** The things that a command was called for; `undefined` where that is nothing, and everything is to be seen. */
export async function targetOf(
	[first, second]: readonly unknown[],
	deps: Pick<GraphViewDeps, "things" | "sessions">,
	signal: AbortSignal,
): Promise<string[] | undefined> {
	const turn = turnNameOf(first, second);
	if (turn) {
		const { answer } = await readTurn(deps.sessions, turn, signal);
		const places = citationsIn(answer).flatMap(({ citation }) => placeOf(locationOf(citation)));
		return thingsAt(places, deps, signal);
	}
	if (typeof first === "string") return [first];
	const editor = vscode.window.activeTextEditor;
	const document = editor?.document;
	if (!editor || document?.uri.scheme !== "file") return undefined;
	const name = nameUnder(document, editor.selection.active)?.name;
	if (name) return [name.iri];
	const described = await deps.things.described({ uri: fileUriOf(document.uri), ...DOOR }, signal);
	return described.length === 0 ? undefined : described.map(({ id }) => id).slice(0, MOST);
}

async function thingsAt(
	places: readonly Place[],
	{ things }: Pick<GraphViewDeps, "things">,
	signal: AbortSignal,
): Promise<string[]> {
	const iris = await things.at({ places, ...DOOR }, signal);
	if (iris.length === 0)
		throw new Failure(
			"NOT_FOUND",
			vscode.l10n.t("The lines that this answer cites describe nothing in the graph."),
		);
	return iris.slice(0, MOST);
}

function placeOf(location: vscode.Location | undefined): Place[] {
	if (!location) return [];
	const { uri, range } = location;
	return [{ uri: fileUriOf(uri), lines: { start: range.start.line + 1, end: range.end.line + 1 } }];
}
