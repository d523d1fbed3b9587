import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { webviewPage } from "./webviewPage.ts";

export function fillWebview(
	webview: vscode.Webview,
	extensionUri: vscode.Uri,
	page: Parameters<typeof webviewPage>[0],
): void {
	const programs = vscode.Uri.joinPath(extensionUri, "dist");
	webview.options = { enableScripts: true, localResourceRoots: [programs] };
	webview.html = webviewPage(page, {
		address: (file) => webview.asWebviewUri(vscode.Uri.joinPath(programs, file)).toString(),
		cspSource: webview.cspSource,
		nonce: randomBytes(16).toString("base64url"),
		words: { language: vscode.env.language, bundle: vscode.l10n.bundle },
	});
}
