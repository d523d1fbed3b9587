import axe from "axe-core";
import type { Page } from "playwright-core";
import themes from "./fixtures/themes.json" with { type: "json" };

/** The class of the page's body, and what VS Code sets for the colors that our pages name, but for borders: axe needs none. */
type Theme = (typeof themes)[keyof typeof themes];

/** What of a page depends on its theme. */
const COLORS: axe.RunOptions = { runOnly: ["color-contrast", "link-in-text-block"] };

/**
 * What axe finds in a page as it stands: by all its rules in one theme, and by those about colors in the others.
 * The page wears the last of the themes then.
 */
export async function faultsOf(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	const faults: string[] = [];
	for (const [at, [name, theme]] of Object.entries(themes).entries()) {
		await wear(page, theme);
		for (const fault of await run(page, at === 0 ? {} : COLORS)) faults.push(`${name}: ${fault}`);
	}
	return faults;
}

/** A color on its way to another would count as what it is for that moment. */
async function wear(page: Page, theme: Theme): Promise<void> {
	await page.evaluate(wearTheme, theme);
	await page.evaluate(async () => {
		const moves = document.getAnimations().filter((each) => each instanceof CSSTransition);
		await Promise.allSettled(moves.map(({ finished }) => finished));
	});
}

async function run(page: Page, rules: axe.RunOptions): Promise<string[]> {
	const options: axe.RunOptions = { ...rules, preload: false, resultTypes: ["violations"] };
	const check = (wanted: axe.RunOptions) => (window as unknown as { axe: typeof axe }).axe.run(wanted);
	const { violations } = await page.evaluate(check, options);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ""}`),
	);
}

/** Runs in the page: gives it the colors of a theme, as VS Code does when the person chooses one. */
function wearTheme({ body, variables }: Theme): void {
	const { style } = document.documentElement;
	style.cssText = "";
	for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
	document.body.className = body;
}
