import { l10n } from "vscode";
import { type PageParts, webviewPage } from "../webviewPage.ts";

export function sessionsViewPage(parts: PageParts): string {
	return webviewPage({ title: l10n.t("Copilot-LD sessions and permissions"), program: "webview" }, parts);
}
