import type { ViewPart } from "../src/protocol/webview.ts";

const SEARCH_FIELDS: Record<ViewPart, string> = {
	sessions: "search",
	memory: "facts-search",
	permissions: "audit-search",
};

/** The field that searches a tab, where it is on the page. */
export function searchFieldOf(tab: ViewPart): HTMLElement | null {
	return document.getElementById(SEARCH_FIELDS[tab]);
}

export function wantsSearch(event: KeyboardEvent): boolean {
	const { key, ctrlKey, metaKey } = event;
	return (key.toLowerCase() === "f" && (ctrlKey || metaKey)) || (key === "/" && !isTyping(event));
}

export function wantsUndo({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
	return key.toLowerCase() === "z" && (ctrlKey || metaKey) && !shiftKey;
}

/** Whether a key goes into a field. */
export function isTyping(event: KeyboardEvent): boolean {
	const [target] = event.composedPath();
	return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
