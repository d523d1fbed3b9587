import axe from "axe-core";
import type { Page } from "playwright-core";
import themes from "./fixtures/themes.json" with { type: "json" };

/** The class of the page's body, and the colors that VS Code sets. Borders are omitted, because axe ignores them. */
type Theme = (typeof themes)[keyof typeof themes];

/** The rules whose result depends on the theme. */
const COLORS: axe.RunOptions = { runOnly: ["color-contrast", "link-in-text-block"] };

/**
 * Returns axe's findings in a page: by all rules in one theme, and by the rules about colors in the others.
 * The page keeps the last theme.
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

/** Applies a theme and waits for its transitions: axe would read the colors in between. */
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

/** Runs in the page: applies the colors of a theme, as VS Code does when the user chooses one. */
function wearTheme({ body, variables }: Theme): void {
	const { style } = document.documentElement;
	style.cssText = "";
	for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
	document.body.className = body;
}
