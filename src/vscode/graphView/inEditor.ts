import * as vscode from "vscode";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { registerDiagnostics } from "../knowledgeView/diagnostics.ts";
import { registerKnowledgeView } from "../knowledgeView/view.ts";
import { registerLanguage } from "../language/link.ts";
import { registerEach, type VirtualDocuments } from "../registerEach.ts";
import type { WorkerLink } from "../worker/link.ts";
import type { FolderReadiness, IndexWatch } from "../worker/readiness.ts";
import type { GraphHost, GraphViewDeps } from "./host.ts";

interface Services {
	readonly worker: WorkerLink;
	readonly context: vscode.ExtensionContext;
	readonly knowledge: Knowledge;
	readonly documents: VirtualDocuments;
	readonly readiness: FolderReadiness;
	readonly log: vscode.LogOutputChannel;
	readonly watch: IndexWatch;
}

export function registerInEditor(services: Services): vscode.Disposable {
	const { worker } = services;
	const { catalog, things, onDidChangeIndex: onDidChange } = worker;
	const { log, context, watch, knowledge } = services;
	return vscode.Disposable.from(
		registerKnowledgeView({
			catalog,
			things,
			search: worker.knowledge.search,
			reader: knowledge,
			onDidChange,
			watch,
		}),
		registerDiagnostics({ catalog, things, log, onDidChange }),
		registerLanguage({ ...worker, ...services, onDidChange }),
		registerGraphView({ ...worker, ...services, extensionUri: context.extensionUri }),
	);
}

/** The picture of the graph. Its program is loaded when somebody first wants to see it. */
function registerGraphView(deps: GraphViewDeps): vscode.Disposable {
	let host: GraphHost | undefined;
	const show = async (...target: unknown[]) => {
		const { openGraphView } = await import("./host.ts");
		host ??= openGraphView(deps, () => {
			host = undefined;
		});
		await host.show(target);
	};
	const commands = {
		"copilot-ld.showGraph": show,
	};
	return vscode.Disposable.from({ dispose: () => host?.dispose() }, registerEach(commands, deps.log));
}
