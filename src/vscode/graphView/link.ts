import * as vscode from "vscode";
import { registerEach } from "../registerEach.ts";
import type { EditorServices } from "../worker/readiness.ts";
import type { GraphHost } from "./host.ts";

export function registerGraphView(services: EditorServices): vscode.Disposable {
	let host: GraphHost | undefined;
	const showGraph = async (...target: unknown[]) => {
		const { openGraphView } = await import("./host.ts");
		host ??= openGraphView(services, () => {
			host = undefined;
		});
		await host.show(target);
	};
	const commands = registerEach({ "copilot-ld.showGraph": showGraph }, services.log);
	return vscode.Disposable.from({ dispose: () => host?.dispose() }, commands);
}
