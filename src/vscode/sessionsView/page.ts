import { type PageParts, webviewPage } from "../webviewPage.ts";

/** The page of the view of sessions. */
export function sessionsViewPage(parts: PageParts): string {
	return webviewPage({ title: "Sessions and permissions of Copilot-LD", program: "webview" }, parts);
}
