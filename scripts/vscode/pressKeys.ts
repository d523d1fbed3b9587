import type { Frame, Page } from "playwright-core";
import type { ShownKeyboard, Wanted } from "../../test/inVscode/testReport.ts";

/** Milliseconds in which a page must become what is waited for. */
const PATIENCE = 20_000;
/** What is typed as it stands, and where the pointer goes or clicks, beside the names of keys. */
const ACT = /^(text|over|click):(.*)$/s;

/** Presses keys in the workbench, and waits for what comes of them. */
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

/** `button: Add Rule`: the role and the name of what has the keyboard, in whatever frame. */
async function keyboardOf(page: Page): Promise<string> {
	const found = await Promise.all(page.frames().map(focusedIn));
	return found.findLast((each) => each !== "") ?? "";
}

/** Runs in a page, whose types this program does not know. */
const FOCUSED = `(() => {
	let element = document.hasFocus() ? document.activeElement : null;
	while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
	if (!element || element.matches("iframe, body")) return "";
	const roles = { BUTTON: "button", INPUT: "textbox", TEXTAREA: "textbox" };
	const role = element.getAttribute("role") ?? roles[element.tagName] ?? element.tagName.toLowerCase();
	return role + ": " + (element.getAttribute("aria-label") ?? element.textContent ?? "").trim();
})()`;

/** A frame may go while it is asked. */
function focusedIn(frame: Frame): Promise<string> {
	return frame.evaluate<string>(FOCUSED).catch(() => "");
}
