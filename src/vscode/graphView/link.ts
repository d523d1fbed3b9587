import * as vscode from "vscode";
import { isCancellation } from "../cancellation.ts";
import { toldOf } from "../reported.ts";
import type { GraphViewDeps } from "./deps.ts";
import type { GraphHost } from "./host.ts";

/** The picture of the graph. Its program is loaded when somebody first wants to see it. */
export function registerGraphView(deps: GraphViewDeps): vscode.Disposable {
	let host: GraphHost | undefined;
	const show = async (...target: unknown[]) => {
		const { openGraphView } = await import("./host.ts");
		host ??= openGraphView(deps, () => {
			host = undefined;
		});
		await host.show(target);
	};
	const commands: Record<string, (...target: unknown[]) => Promise<void>> = {
		"copilot-ld.showGraph": (...target) => show(...target),
	};
	const safely =
		(run: (...target: unknown[]) => Promise<void>) =>
		(...target: unknown[]) =>
			run(...target).catch((thrown: unknown) => {
				if (isCancellation(thrown)) return;
				deps.log.error(thrown instanceof Error ? thrown : String(thrown));
				void vscode.window.showErrorMessage(toldOf(thrown));
			});
	return vscode.Disposable.from(
		{ dispose: () => host?.dispose() },
		...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, safely(run))),
	);
}
