import * as vscode from "vscode";

const SCHEME = "copilot-ld";

/** Documents that we write for a person to read; nothing is saved. */
export interface VirtualDocuments extends vscode.Disposable {
	/** Shows Markdown under a name, as a preview. A document of the same name is replaced. */
	show(name: string, markdown: string): Promise<void>;
}

export function registerVirtualDocuments(): VirtualDocuments {
	const texts = new Map<string, string>();
	const changed = new vscode.EventEmitter<vscode.Uri>();
	const registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
		onDidChange: changed.event,
		provideTextDocumentContent: ({ path }) => texts.get(path) ?? "",
	});
	return {
		show: async (name, markdown) => {
			const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
			texts.set(uri.path, markdown);
			changed.fire(uri);
			await vscode.commands.executeCommand("markdown.showPreview", uri);
		},
		dispose: () => {
			registration.dispose();
			changed.dispose();
		},
	};
}
