import * as vscode from "vscode";

const SCHEME = "copilot-ld";

export interface VirtualDocuments extends MarkdownViewer, TextViewer, vscode.Disposable {}

export interface MarkdownViewer {
	/** Shows Markdown under a name, as a preview. A document of the same name is replaced. */
	show(name: string, markdown: string): Promise<void>;
}

export interface TextViewer {
	/** Opens a text as it is, beside what the person is at. */
	open(name: string, text: string, column?: vscode.ViewColumn): Promise<vscode.TextEditor>;
}

export function registerVirtualDocuments(): VirtualDocuments {
	const texts = new Map<string, string>();
	const changed = new vscode.EventEmitter<vscode.Uri>();
	const registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
		onDidChange: changed.event,
		provideTextDocumentContent: ({ path }) => texts.get(path) ?? "",
	});
	const keep = (name: string, text: string) => {
		const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
		texts.set(uri.path, text);
		changed.fire(uri);
		return uri;
	};
	return {
		open: async (name, text, viewColumn = vscode.ViewColumn.Active) =>
			vscode.window.showTextDocument(keep(name, text), { preview: true, preserveFocus: true, viewColumn }),
		show: async (name, markdown) => {
			const uri = keep(name, markdown);
			await vscode.commands.executeCommand("markdown.showPreview", uri);
		},
		dispose: () => {
			registration.dispose();
			changed.dispose();
		},
	};
}
