import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

interface Page {
	readonly title: string;
	readonly program: string;
	address(file: string): string;
	/** VS Code's source of local files, for the content security policy. */
	readonly cspSource: string;
	readonly nonce: string;
	readonly words: PageWords;
}

export interface PageWords {
	readonly language: string;
	/** Translations by their English texts; `undefined` for English and for languages without translations. */
	readonly bundle: Readonly<Record<string, string>> | undefined;
}

/** Returns the HTML of a page that can load only our script, our style and the icons. */
export function webviewPage({ title, program, address, cspSource, nonce, words }: Page): string {
	const policy = [
		"default-src 'none'",
		`style-src ${cspSource}`,
		`font-src ${cspSource}`,
		`script-src 'nonce-${nonce}'`,
		"base-uri 'none'",
		"form-action 'none'",
	].join("; ");
	const bundle = JSON.stringify(words.bundle ?? {}).replace(/[&"<]/g, (sign) => `&#${sign.charCodeAt(0)};`);
	return `<!DOCTYPE html>
<html lang="${words.language}" data-l10n="${bundle}">
<head>
	<meta charset="utf-8">
	<meta http-equiv="Content-Security-Policy" content="${policy}">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>${title}</title>
	<link rel="stylesheet" href="${address("codicon.css")}">
	<link rel="stylesheet" href="${address(`${program}.css`)}">
</head>
<body>
	<div id="root"></div>
	<script nonce="${nonce}" src="${address(`${program}.js`)}"></script>
</body>
</html>
`;
}

export function fillWebview(
	webview: vscode.Webview,
	extensionUri: vscode.Uri,
	page: { readonly title: string; readonly program: string },
): void {
	const programs = vscode.Uri.joinPath(extensionUri, "dist");
	webview.options = { enableScripts: true, localResourceRoots: [programs] };
	webview.html = webviewPage({
		...page,
		address: (file) => webview.asWebviewUri(vscode.Uri.joinPath(programs, file)).toString(),
		cspSource: webview.cspSource,
		nonce: randomBytes(16).toString("base64url"),
		words: { language: vscode.env.language, bundle: vscode.l10n.bundle },
	});
}
