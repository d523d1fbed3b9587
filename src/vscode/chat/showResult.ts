import * as vscode from "vscode";
import { type AssetRef, readAssetRef, writeAssetRef } from "../../core/agent/assetRef.ts";
import { registerEach, type TextViewer } from "../registerEach.ts";

export const SHOW_RESULT = "copilot-ld.showResult";

/** What links in answers name: results are kept until the window is closed, and numbers begin anew in the next. */
export function resultArguments(session: string, ref: AssetRef): readonly string[] {
	return [vscode.env.sessionId, session, writeAssetRef(ref)];
}

export function registerResultView(
	documents: TextViewer,
	resultOf: (session: string, ref: AssetRef) => Promise<string>,
): vscode.Disposable {
	const open = async (window: unknown, session: unknown, written: unknown) => {
		const ref = readAssetRef(written);
		if (window !== vscode.env.sessionId || typeof session !== "string" || !ref)
			throw new Error(vscode.l10n.t("This result was kept only until its window was closed."));
		const text = await resultOf(session, ref);
		return documents.open(
			vscode.l10n.t("Result {0}", [ref.number, ...ref.path].join(" ")).replaceAll("/", "_"),
			text,
		);
	};
	return registerEach({ [SHOW_RESULT]: open });
}
