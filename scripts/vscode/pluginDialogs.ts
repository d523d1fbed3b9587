import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { outFolder, root } from "../paths.ts";
import { checkOff, type Tally } from "../tally.ts";
import { obtainChromium } from "./obtainChromium.ts";
import { obtainServer } from "./obtainServer.ts";
import { linkExtensions, presetSettings } from "./profile.ts";
import { startServer } from "./server.ts";
import { FLAGS } from "./workbench.ts";

const ACTS = `group_id: org.example
artifact_id: history
version: 1.0.0
type: plugin
as_plugin: true
info: { title: History, description: Knows what changed. }
commands:
  - command_name: log
    description: The last changes of a file.
    parameter: { type: { file: { type: path } } }
    executor: { kind: program, program: git, arguments: [log, --oneline, -n5, --, "{{file}}"] }
  - { command_name: find, description: Finds notes., executor: { kind: retrieval, query: notes } }
`;

const files = join(outFolder, "vscodeDialogsFiles");
const dataFolder = join(outFolder, "vscodeDialogs");
const workspace = join(files, "workspace");

/** A command added to the plugin later. */
const MORE =
	"  - { command_name: more, description: More., executor: { kind: program, program: git, arguments: [status] } }";

/**
 * Adds a plugin and reviews it after a change like a user, because VS Code shows modal dialogs only outside of
 * tests.
 */
export async function testPluginDialogs(artifacts: string): Promise<Tally> {
	for (const old of [files, dataFolder]) await rm(old, { recursive: true, force: true });
	const theirs = join(files, "theirs/history/plugin.yaml");
	await write(theirs, ACTS);
	await write(join(workspace, "notes.md"), "# Notes\n");
	await presetSettings(join(dataFolder, "data", "User"));
	const extensionsFolder = join(dataFolder, "extensions");
	await linkExtensions([root], extensionsFolder);
	const env = { HOME: join(files, "home") };
	const server = await startServer({ program: await obtainServer(), dataFolder, extensionsFolder, env });
	const browser = await chromium.launch({ executablePath: await obtainChromium(), args: FLAGS });
	try {
		const page = await browser.newPage({ viewport: { width: 1000, height: 720 } });
		page.setDefaultTimeout(PATIENCE);
		await page.goto(server.addressFor(workspace));
		return await checkOff("a plugin is added and reviewed by VS Code's own dialogs", () =>
			addAndReview(page, { from: dirname(theirs), artifacts }).catch(async (thrown: unknown) => {
				await page.screenshot({ path: join(artifacts, "failed-dialogs.png") });
				throw thrown;
			}),
		);
	} finally {
		await browser.close();
		await server.stop();
	}
}

/** Maximum milliseconds of one step. */
const PATIENCE = 90_000;

async function addAndReview(
	page: Page,
	{ from, artifacts }: { readonly from: string; readonly artifacts: string },
): Promise<void> {
	const picture = (name: string) => page.screenshot({ path: join(artifacts, `${name}.png`) });
	await runCommand(page, "Copilot-LD: Add Plugin");
	await pick(page, "From a Folder");
	await openFolder(page, from);
	await says(page, ["May do more than read:", "log runs the program git log --oneline -n5 -- '{{file}}'"]);
	await picture("dialog-add");
	await answer(page, "Add Plugin");
	await pick(page, "For This Workspace");
	await type(page, "history");
	await page.locator(".tab", { hasText: "plugin.yaml" }).waitFor();
	await runCommand(page, "Copilot-LD: Focus on Plugins View");
	await state(page, "History");
	await append(page, MORE);
	await state(page, CHANGED);
	await review(page);
	await says(page, ["The plugin history has changed", "more runs the program git status"]);
	await picture("dialog-review");
	await answer(page, "Cancel");
	await state(page, CHANGED);
	await review(page);
	await answer(page, "Allow");
	await state(page, "History");
	await picture("dialog-reviewed");
}

const CHANGED = "changed: review it";

async function write(path: string, text: string): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, text);
}

async function runCommand(page: Page, title: string): Promise<void> {
	// Our commands are not available before.
	await page.locator(".statusbar-item", { hasText: "Copilot-LD" }).waitFor();
	const input = page.locator(".quick-input-widget:visible input");
	await page.keyboard.press("F1");
	await input.waitFor();
	await input.fill(`>${title}`);
	await pick(page, title);
}

async function pick(page: Page, label: string): Promise<void> {
	await page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first().click();
}

async function type(page: Page, text: string): Promise<void> {
	const input = page
		.locator(".quick-input-widget:visible input.input, .quick-input-widget:visible input")
		.first();
	await input.waitFor();
	await input.fill(text);
	await input.press("Enter");
}

async function says(page: Page, words: readonly string[]): Promise<void> {
	const dialog = page.locator(".monaco-dialog-box");
	for (const text of words) await dialog.filter({ hasText: text }).waitFor();
}

async function answer(page: Page, button: string): Promise<void> {
	const dialog = page.locator(".monaco-dialog-box");
	await dialog.locator(".monaco-button", { hasText: button }).click();
	await dialog.waitFor({ state: "hidden" });
}

/** Appends a line to the open file. */
async function append(page: Page, line: string): Promise<void> {
	await page.locator(".monaco-editor .view-lines").first().click();
	await page.keyboard.press("Control+End");
	await page.keyboard.insertText(line);
	await page.keyboard.press("Control+S");
}

function row(page: Page) {
	return page.locator(".pane-body .monaco-list-row", { hasText: "history" }).first();
}

async function state(page: Page, words: string): Promise<void> {
	await row(page).filter({ hasText: words }).waitFor();
}

function review(page: Page): Promise<void> {
	return untilAsked(page, async () => {
		await row(page).hover();
		await row(page).locator('[aria-label^="Review Plugin"]').click({ timeout: SOON });
	});
}

/** Opens a folder. Types it again if the dialog has inserted its own folder meanwhile. */
async function openFolder(page: Page, folder: string): Promise<void> {
	const widget = page.locator(".quick-input-widget:visible");
	const input = widget.locator("input").first();
	const wanted = `${folder}/`;
	await untilAsked(page, async () => {
		if ((await input.inputValue({ timeout: SOON })) !== wanted) await input.fill(wanted, { timeout: SOON });
		await widget.getByText("OK", { exact: true }).click({ timeout: SOON });
	});
}

/** Clicks until the dialog appears, because a click on a redrawn element is lost. */
async function untilAsked(page: Page, click: () => Promise<void>): Promise<void> {
	const deadline = Date.now() + PATIENCE;
	const dialog = page.locator(".monaco-dialog-box");
	do await click().catch(() => undefined);
	while (!(await isSoon(dialog)) && Date.now() < deadline);
}

const SOON = 2000;

function isSoon(what: Locator): Promise<boolean> {
	return what.waitFor({ timeout: SOON }).then(
		() => true,
		() => false,
	);
}
