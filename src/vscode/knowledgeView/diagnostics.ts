import { setTimeout } from "node:timers/promises";
import * as vscode from "vscode";
import type { DocumentProblems } from "../../core/knowledge/catalog.ts";
import { toDiagnostic } from "../problems.ts";
import { watched } from "../registerEach.ts";
import { setting } from "../settings.ts";
import type { EditorServices } from "../worker/readiness.ts";

/** How long nothing must have changed before shapes are checked: that takes seconds of a large graph. */
const REST_MS = 1000;

/** Shows in the Problems view what could not be read and, on request, what is wrong between documents. */
export function registerDiagnostics({ worker, log }: EditorServices): vscode.Disposable {
	const { catalog, things, onDidChangeIndex } = worker;
	const collection = vscode.languages.createDiagnosticCollection("copilot-ld");
	const shapes = vscode.languages.createDiagnosticCollection("copilot-ld.shapes");
	let refresh = new AbortController();
	const show = (into: vscode.DiagnosticCollection, found: readonly DocumentProblems[]) => {
		into.clear();
		for (const { uri, problems } of found) into.set(vscode.Uri.parse(uri), problems.map(toDiagnostic));
	};
	const update = async () => {
		refresh.abort();
		refresh = new AbortController();
		const { signal } = refresh;
		const isAll = setting("diagnostics.enabled");
		const found = await catalog.problems(isAll ? "links" : "files", signal);
		if (signal.aborted) return;
		show(collection, found);
		if (!isAll) return shapes.clear();
		await setTimeout(REST_MS, undefined, { signal });
		const wrong = await things.checkShapes({ door: "chat" }, signal);
		if (!signal.aborted) show(shapes, wrong);
	};
	const safely = () => void update().catch((thrown: unknown) => log.debug(`Problems: ${thrown}`));

	return vscode.Disposable.from(
		collection,
		shapes,
		watched("**/.copilot-ld/*", safely),
		onDidChangeIndex(safely),
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration("copilot-LD.diagnostics")) safely();
		}),
		{ dispose: () => refresh.abort() },
	);
}
