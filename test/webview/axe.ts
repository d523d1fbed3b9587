import axe from "axe-core";
import type { Page } from "playwright-core";
import { THEMES } from "./pages.ts";

/** The rules whose result depends on the theme. */
const COLORS: axe.RunOptions = { runOnly: ["color-contrast", "link-in-text-block"] };

/**
 * Returns axe's findings in a page: by all rules in one theme, and by the rules about colors in the others.
 * The page keeps the last theme.
 */
export async function faultsOf(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	const faults: string[] = [];
	for (const [at, theme] of THEMES.entries()) {
		await wear(page, theme);
		for (const fault of await run(page, at === 0 ? {} : COLORS)) faults.push(`${theme.body}: ${fault}`);
	}
	return faults;
}

/** Applies a theme and waits for its transitions: axe would read the colors in between. */
async function wear(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
	await page.evaluate(async ({ body, css }) => {
		document.documentElement.style.cssText = css;
		document.body.className = body;
		const moves = document.getAnimations().filter((each) => each instanceof CSSTransition);
		await Promise.allSettled(moves.map(({ finished }) => finished));
	}, theme);
}

async function run(page: Page, rules: axe.RunOptions): Promise<string[]> {
	const options: axe.RunOptions = { ...rules, preload: false, resultTypes: ["violations"] };
	const check = (wanted: axe.RunOptions) => (window as unknown as { axe: typeof axe }).axe.run(wanted);
	const { violations } = await page.evaluate(check, options);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ""}`),
	);
}
