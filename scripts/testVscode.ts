import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FrameLocator, Locator, Page } from "playwright-core";
import type {
	ShownAnswer,
	ShownKeyboard,
	ShownPick,
	ShownView,
	TestReport,
	Wanted,
} from "../test/inVscode/testReport.ts";
import { build } from "./build.ts";
import { outFolder, root, sampleFolder, scriptedModelFolder } from "./paths.ts";
import { conclude, recall, sumTallies, type Tally } from "./tally.ts";
import { obtainChromium } from "./vscode/obtainChromium.ts";
import { obtainDesktop } from "./vscode/obtainDesktop.ts";
import { obtainServer } from "./vscode/obtainServer.ts";
import { testPluginDialogs } from "./vscode/pluginDialogs.ts";
import { pressKeys } from "./vscode/pressKeys.ts";
import { RESTRICTED } from "./vscode/profile.ts";
import { runOnDesktop, runOnServer, type VscodeRun } from "./vscode/runInVscode.ts";

/** Screenshots for people to look at. */
const artifactsFolder = join(outFolder, "artifacts");

/** A window of VS Code with its tests. */
interface Window {
	/** Name of its data folder in the folder of builds. */
	readonly name: string;
	/** Variables that choose the suites. */
	readonly env: Readonly<Record<string, string>>;
	readonly settings?: object;
}

const FIRST: Window = { name: "vscode", env: { COPILOT_LD_WINDOW: "first" } };
const SECOND: Window = { name: "vscodeSecond", env: { COPILOT_LD_WINDOW: "second" } };
/** Restricted Mode needs a VS Code of its own. */
const RESTRICTED_WINDOW: Window = {
	name: "vscodeRestricted",
	env: { COPILOT_LD_WINDOW: "restricted" },
	settings: RESTRICTED,
};

/**
 * Runs the tests of test/inVscode in a real VS Code, on a copy of the sample. Requires built programs. Two windows
 * run at once, since each mostly waits for its page.
 * @param suites names of the suites to run; all if empty
 */
export async function testInVscode(suites: readonly string[] = []): Promise<Tally> {
	await mkdir(artifactsFolder, { recursive: true });
	const desktop = await obtainDesktop();
	// Install them now, because two windows would install them at once.
	if (!desktop) await Promise.all([obtainServer(), obtainChromium()]);
	if (suites.length === 0) {
		const others = async () => [
			await runWindow(SECOND, desktop),
			await runWindow(RESTRICTED_WINDOW, desktop),
		];
		const [first, rest] = await Promise.all([runWindow(FIRST, desktop), others()]);
		return sumTallies([first, ...rest, await testDialogs(desktop)]);
	}
	const others = suites.filter((name) => name !== "restricted" && name !== "dialogs");
	const tallies: Tally[] = [];
	if (others.length > 0)
		tallies.push(await runWindow({ ...FIRST, env: { COPILOT_LD_SUITES: others.join(" ") } }, desktop));
	if (suites.includes("restricted")) tallies.push(await runWindow(RESTRICTED_WINDOW, desktop));
	if (suites.includes("dialogs")) tallies.push(await testDialogs(desktop));
	return sumTallies(tallies);
}

/** Tests the dialogs only in a page, which can be driven without a bundle, unlike a desktop. */
async function testDialogs(desktop: string | undefined): Promise<Tally> {
	return desktop ? { passed: 0, failed: 0 } : testPluginDialogs(artifactsFolder);
}

async function runWindow(
	{ name, env, settings = {} }: Window,
	desktop: Awaited<ReturnType<typeof obtainDesktop>>,
): Promise<Tally> {
	const folder = join(outFolder, `${name}Files`, "workspace");
	const dataFolder = join(outFolder, name);
	for (const old of [folder, dataFolder]) await rm(old, { recursive: true, force: true });
	await cp(sampleFolder, folder, { recursive: true });
	const results: boolean[] = [];
	const run: VscodeRun<TestReport> = {
		folder,
		extensions: [root, scriptedModelFolder],
		bundle: join(outFolder, "vscodeTests.cjs"),
		dataFolder,
		settings: { ...settings },
		env: { COPILOT_LD_ROOT: root, ...env },
		receive: (report, page) => {
			if (report.kind !== "passed" && report.kind !== "failed") return page && dealOrShow(report, page);
			return void results.push(printResult(report));
		},
	};
	const ran = desktop ? runOnDesktop(desktop, run) : runOnServer(run);
	const failure = await ran.then(
		() => undefined,
		(error: Error) => error,
	);
	const failed = results.filter((passed) => !passed).length;
	// A run that breaks off without a failed test is a failure, too.
	if (failure && failed === 0) {
		console.log(`✖ the tests inside VS Code: ${failure.message}`);
		recall(`${name}: ${failure.message}`);
	}
	return { passed: results.length - failed, failed: failure ? Math.max(failed, 1) : failed };
}

function printResult(report: Extract<TestReport, { readonly kind: "passed" | "failed" }>): boolean {
	if (report.kind === "failed") {
		console.log(`✖ ${report.title}\n${report.message}`);
		recall(report.title);
	} else console.log(`✔ ${report.title} (${report.durationMs} ms)`);
	return report.kind === "passed";
}

const LIVE =
	"a, img, h1, h2, h3, h4, h5, h6, hr, ul, ol, table, code, em, del, b, input, svg, iframe, .codicon, .katex";

/** Performs a request of a test; on failure, saves a screenshot of the page. */
async function dealOrShow(
	report: TestReport,
	page: Page,
): Promise<ShownKeyboard | Awaited<ReturnType<typeof deal>>> {
	try {
		return await (report.kind === "press" ? pressKeys(page, report) : deal(report, page));
	} catch (thrown) {
		await page.screenshot({ path: join(artifactsFolder, `failed-${report.kind}.png`) });
		throw thrown;
	}
}

/** Performs what a test requests of the page. */
async function deal(
	report: TestReport,
	page: Page,
): Promise<ShownAnswer | ShownPick | ShownView | boolean | undefined> {
	const answer = page.locator(".interactive-response").last();
	const citations = answer.locator(".chat-inline-anchor-widget");
	if (report.kind === "clickCitation") await clickIn(answer, citations, report);
	if (report.kind === "pressButton") await pressButton(page, report);
	if (report.kind === "pickFirst") await pickFirst(page, report);
	if (report.kind === "untilShown") await untilShown(page, report);
	if (report.kind === "lookAtPick") return lookAtPick(page, report);
	if (report.kind === "answerInput") return answerInput(page, report);
	if (report.kind === "openSession") return openSession(page, report);
	if (report.kind === "lookAtTab") return lookAtTab(page, report);
	if (report.kind === "lookAtTree") return lookAtTree(page, report);
	if (report.kind !== "look") return undefined;
	await showAnswer(page, report);
	const live = await answer
		.locator(".rendered-markdown")
		.locator(LIVE)
		.evaluateAll((elements) =>
			elements
				.filter((element) => !element.closest(".chat-inline-anchor-widget"))
				.map(({ outerHTML }) => outerHTML.slice(0, 200)),
		);
	return { text: (await answer.allInnerTexts()).join(""), citations: await citations.allInnerTexts(), live };
}

async function clickIn(
	answer: Locator,
	citations: Locator,
	{ link }: Wanted<"clickCitation">,
): Promise<void> {
	// VS Code redraws an answer until it is complete, so an earlier click may hit a removed element.
	await answer.and(answer.page().locator(":not(.chat-response-loading)")).waitFor();
	await (link === undefined ? citations : answer.getByText(link, { exact: true })).first().click();
}

async function showAnswer(page: Page, { words = "", picture }: Wanted<"look">): Promise<void> {
	if (words) await page.locator(".interactive-response", { hasText: words }).last().waitFor();
	await page.screenshot({ path: join(artifactsFolder, `${picture}.png`) });
}

async function pressButton(page: Page, { label, where, picture }: Wanted<"pressButton">): Promise<void> {
	const place = where === "dialog" ? ".monaco-dialog-box" : ".interactive-response";
	const button = page.locator(place).last().locator(".monaco-button", { hasText: label }).first();
	await button.waitFor();
	if (picture) await page.screenshot({ path: join(artifactsFolder, `${picture}.png`) });
	await button.click();
}

async function untilShown(page: Page, { words, where }: Wanted<"untilShown">): Promise<void> {
	const part = where === "view" ? ".pane-body" : ".statusbar-item";
	await page.locator(part, { hasText: words }).first().waitFor();
}

async function pickFirst(page: Page, { typed, placeholder, picture }: Wanted<"pickFirst">): Promise<void> {
	const input = page.locator(
		`.quick-input-widget input${placeholder === undefined ? "" : `[placeholder*="${placeholder}"]`}`,
	);
	await input.waitFor();
	if (picture)
		await page.screenshot({ path: join(artifactsFolder, `${picture}.png`), animations: "disabled" });
	await input.fill(typed);
	await page.locator(".quick-input-list .monaco-list-row").first().click();
}

async function lookAtPick(page: Page, { words, hide, picture }: Wanted<"lookAtPick">): Promise<ShownPick> {
	const widget = page.locator(".quick-input-widget:visible").filter({ hasText: words });
	await widget.waitFor();
	if (picture)
		await page.screenshot({ path: join(artifactsFolder, `${picture}.png`), animations: "disabled" });
	const shown = {
		title: (await widget.locator(".quick-input-title").textContent()) ?? "",
		prompt: (await widget.locator(".quick-input-message").textContent()) ?? "",
		items: await widget.locator(".quick-input-list .monaco-list-row").allInnerTexts(),
	};
	if (hide) {
		await widget.locator("input.input").focus();
		await page.keyboard.press("Escape");
		await widget.waitFor({ state: "hidden" });
	}
	return shown;
}

async function answerInput(page: Page, { typed, picture }: Wanted<"answerInput">): Promise<boolean> {
	const input = page.locator(".quick-input-widget input");
	await input.waitFor();
	if (picture)
		await page.screenshot({ path: join(artifactsFolder, `${picture}.png`), animations: "disabled" });
	await input.fill(typed);
	await input.press("Enter");
	return true;
}

async function openSession(page: Page, { title = "", picture }: Wanted<"openSession">): Promise<ShownView> {
	const view = sessionsView(page);
	await view.getByRole("tab", { name: "Sessions" }).click();
	// A session may be open instead of the list.
	const back = view.getByRole("button", { name: "Back to Sessions" });
	if (await back.isVisible()) await back.click();
	await view.getByRole("row").filter({ hasText: title }).first().locator(".cell").click();
	await view.locator(".turn").first().waitFor();
	await page.screenshot({ path: join(artifactsFolder, `${picture}.png`) });
	return { text: (await view.locator(".pane").allInnerTexts()).join("") };
}

async function lookAtTab(page: Page, { tab, picture }: Wanted<"lookAtTab">): Promise<ShownView> {
	const view = sessionsView(page);
	await view.getByRole("tab", { name: tab }).click();
	await view.locator(".pane:not(:has(.empty[role=status]))").waitFor();
	await page.screenshot({ path: join(artifactsFolder, `${picture}.png`) });
	return { text: (await view.locator(".pane").allInnerTexts()).join("") };
}

async function lookAtTree(page: Page, { view, words, picture }: Wanted<"lookAtTree">): Promise<ShownView> {
	const pane = page.locator(".split-view-view .pane").filter({ has: page.getByText(view, { exact: true }) });
	await pane.getByText(words).first().waitFor();
	await page.screenshot({ path: join(artifactsFolder, `${picture}.png`), animations: "disabled" });
	return { text: (await pane.allInnerTexts()).join("") };
}

/** The page of the view, which VS Code nests in two frames. */
function sessionsView(page: Page): FrameLocator {
	return page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
}

if (import.meta.main) {
	await build();
	conclude(await testInVscode(process.argv.slice(2)));
}
