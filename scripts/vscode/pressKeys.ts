import type { Frame, Page } from "playwright-core";
import type { ShownKeyboard, Wanted } from "../../test/inVscode/testReport.ts";

/** Maximum milliseconds to wait for a page. */
const PATIENCE = 20_000;
/** Actions besides names of keys: text to type, and elements to point at or click. */
const ACT = /^(text|over|click):(.*)$/s;

/** Presses keys in the workbench, and waits for the expected result. */
export async function pressKeys(page: Page, { keys, ...wanted }: Wanted<"press">): Promise<ShownKeyboard> {
	for (const key of keys) await pressOrType(page, key);
	const deadline = Date.now() + PATIENCE;
	for (;;) {
		const keyboard = await keyboardOf(page);
		if (await isAsWanted(page, keyboard, wanted)) return { keyboard };
		if (Date.now() > deadline)
			throw new Error(`Waited for ${JSON.stringify(wanted)}; the keyboard is on "${keyboard}".`);
		await page.evaluate("new Promise(requestAnimationFrame)");
	}
}

function pressOrType(page: Page, key: string): Promise<void> {
	const [, act, what = ""] = ACT.exec(key) ?? [];
	if (act === "text") return page.keyboard.type(what);
	if (act === "over") return page.locator(what).last().hover();
	return act === "click" ? page.locator(what).last().click() : page.keyboard.press(key);
}

async function isAsWanted(
	page: Page,
	keyboard: string,
	{ has, shows, where = "body" }: Omit<Wanted<"press">, "keys">,
): Promise<boolean> {
	if (has && !has.some((name) => keyboard.includes(name))) return false;
	if (shows === undefined) return true;
	const parts = page.frames().map((frame) => frame.locator(where, { hasText: shows }).first());
	const shown = await Promise.all(parts.map((part) => part.isVisible().catch(() => false)));
	return shown.includes(true);
}

/** Role and name of the focused element in any frame, such as `button: Add Rule`. */
async function keyboardOf(page: Page): Promise<string> {
	const found = await Promise.all(page.frames().map(focusedIn));
	return found.findLast((each) => each !== "") ?? "";
}

/** Source text, because it runs in a page, whose types are unknown here. */
const FOCUSED = `(() => {
	let element = document.hasFocus() ? document.activeElement : null;
	while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
	if (!element || element.matches("iframe, body")) return "";
	const roles = { BUTTON: "button", INPUT: "textbox", TEXTAREA: "textbox" };
	const role = element.getAttribute("role") ?? roles[element.tagName] ?? element.tagName.toLowerCase();
	return role + ": " + (element.getAttribute("aria-label") ?? element.textContent ?? "").trim();
})()`;

/** The focused element of a frame; empty if the frame is removed meanwhile. */
function focusedIn(frame: Frame): Promise<string> {
	return frame.evaluate<string>(FOCUSED).catch(() => "");
}
