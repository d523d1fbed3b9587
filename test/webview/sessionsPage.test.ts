import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { FakeSessions, manySessions, oneTurn } from "./fakeSessions.ts";
import { launchViews } from "./testPage.ts";

const browser = await launchViews();

test("of 10,000 sessions only those on the screen are in the page, and the end is a key away", async () => {
	const sessions = new FakeSessions(manySessions(10_000));
	const { page } = await browser.open({ sessions });
	await rowOf(page, 0).waitFor();
	assert.ok((await page.getByRole("row").count()) < 60);
	await page.getByRole("grid").press("End");
	await rowOf(page, 9999).waitFor();
	assert.ok((await page.getByRole("row").count()) < 60);
	assert.equal(await page.getByRole("grid").getAttribute("aria-activedescendant"), "row-9999");
	// What lies between the ends was not asked for.
	assert.ok(sessions.pages.length <= 4, `${sessions.pages.length} pages`);
});

test("the keyboard opens a session, and Escape leads back to its row", async () => {
	const { page } = await openList(5);
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await page.getByText("Question 1 of session 2").waitFor();
	await page.keyboard.press("Escape");
	await page.locator("#row-2.active").waitFor();
	await page.locator("#sessions:focus").waitFor();
});

for (const [place, opening] of [
	["the list", []],
	["a session", ["Enter"]],
] as const)
	test(`F2 in ${place} has the host ask for another title`, async () => {
		const { page, asked, sessions } = await openList(3);
		for (const key of opening) await page.keyboard.press(key);
		if (opening.length > 0) await page.getByText("Question 1 of session 0").waitFor();
		await page.keyboard.press("F2");
		const { title } = sessions.transcripts[0]?.session ?? {};
		assert.deepEqual(await asked("renameSession"), { kind: "renameSession", session: "s0", title });
	});

test("Delete takes a session away, and Ctrl+Z brings it back", async () => {
	const { page, sessions } = await openList(3);
	await page.keyboard.press("Delete");
	await rowOf(page, 0).getByText("Session 1 about").waitFor();
	await page.getByText("Deleted “Session 0 about the lamps of the isles”", { exact: true }).waitFor();
	await page.keyboard.press("ControlOrMeta+Z");
	await rowOf(page, 0).getByText("Session 0 about").waitFor();
	assert.equal(sessions.deleted.size, 0);
});

test("VS Code's menu is for the row below the pointer, for that of the keyboard, and for the open session", async () => {
	const { page } = await openList(3);
	const opened =
		page.evaluate<string>(`new Promise((resolve) => document.addEventListener("contextmenu", ({ target }) =>
		resolve(target.closest("[data-vscode-context]").dataset.vscodeContext)))`);
	await rowOf(page, 1).hover();
	await rowOf(page, 1).getByRole("button", { name: "More Actions" }).click();
	const said = { session: "s1", title: "Session 1 about the lamps of the isles", turns: 2 };
	const state = { isArchived: false, canArchive: true, preventDefaultContextMenuItems: true };
	assert.deepEqual(JSON.parse(await opened), { ...said, ...state });
	const ofGrid = () => page.getByRole("grid").getAttribute("data-vscode-context");
	await page.getByRole("grid").press("End");
	await page.locator("#row-2.active").waitFor();
	assert.equal(JSON.parse((await ofGrid()) ?? "").session, "s2");
	await page.getByRole("grid").press("Enter");
	const ofSession = await page
		.locator("section[data-vscode-context*=s2]")
		.getAttribute("data-vscode-context");
	assert.equal(JSON.parse(ofSession ?? "").preventDefaultContextMenuItems, false, "text can be copied");
});

test("a slash leads to the search, whose hits open at their turn", async () => {
	const { page, asked } = await openList(5);
	await page.keyboard.press("/");
	// In one piece: who types slowly is also searched for what they have typed by then.
	await page.keyboard.insertText("Question 1 of session 3");
	assert.equal((await asked("searchSessions")).text, "Question 1 of session 3");
	await rowOf(page, 0).getByText("Session 3 about").waitFor();
	assert.equal(await page.getByRole("row").count(), 1);
	await page.keyboard.press("Tab");
	await focusList(page);
	await page.keyboard.press("Enter");
	await page.locator("#turn-1.target").waitFor();
});

test("filters narrow the list, and survive a reload as the open session does", async () => {
	const sessions = new FakeSessions(manySessions(9));
	const { page, asked } = await browser.open({ sessions });
	await rowOf(page, 8).waitFor();
	await page.getByRole("button", { name: "Filter" }).press("Enter");
	await page.getByRole("combobox", { name: "Engine" }).selectOption("Copilot CLI");
	await rowOf(page, 3).waitFor({ state: "detached" });
	assert.equal((await asked("listSessions")).filters.engine, "cli");
	await rowOf(page, 1).click();
	await page.getByText("Question 1 of session 3").waitFor();
	await page.reload();
	await page.getByText("Question 1 of session 3").waitFor();
	await page.getByRole("button", { name: /Back/ }).press("Enter");
	await rowOf(page, 2).waitFor();
	assert.equal(await page.getByRole("row").count(), 3);
});

test("a list is where it was left after a reload", async () => {
	const { page } = await openList(1000);
	await page.keyboard.press("End");
	await page.locator("#row-999.active").waitFor();
	await page.reload();
	await page.locator("#row-999.active").waitFor();
});

test("a list at its top stays there, however many sessions come before the row of the keyboard", async () => {
	const sessions = new FakeSessions(manySessions(100).slice(50));
	const { page, tell } = await browser.open({ sessions });
	await rowOf(page, 0).getByText("Session 50").waitFor();
	sessions.transcripts = manySessions(100);
	await tell({ kind: "changed", part: "sessions" });
	await rowOf(page, 0).getByText("Session 0").waitFor();
	assert.equal(await page.getByRole("grid").evaluate((list) => list.scrollTop), 0);
	await page.getByRole("grid").press("ArrowDown");
	await page.locator("#row-51.active").waitFor();
});

test("a running turn is seen as it goes on", async () => {
	const sessions = new FakeSessions(manySessions(2));
	const { page, tell } = await browser.open({ sessions });
	await rowOf(page, 0).click();
	await page.getByText("Question 1 of session 0").waitFor();
	const [first, ...others] = sessions.transcripts;
	assert.ok(first);
	const { outcome: _open, ...running } = oneTurn(2, { question: "And who lights it?", answer: "" });
	const session = { ...first.session, updatedAt: Date.now() };
	sessions.transcripts = [{ session, turns: [...first.turns, running] }, ...others];
	await tell({ kind: "changed", part: "sessions" });
	await page.getByText("And who lights it?").waitFor();
	await page.getByText("Working…").waitFor();
	const done = { ...running, answer: "The keeper.", outcome: "done" } as const;
	sessions.transcripts = [{ session, turns: [...first.turns, done] }, ...others];
	await tell({ kind: "changed", part: "sessions" });
	await page.getByText("The keeper.").waitFor();
	assert.equal(await page.getByText("Working…").count(), 0);
});

test("who reads the end of a transcript stays there while it grows", async () => {
	const [first] = manySessions(1);
	assert.ok(first);
	const long = oneTurn(0, { answer: "words\n\n".repeat(200) });
	const sessions = new FakeSessions([{ session: first.session, turns: [long] }]);
	const { page, tell } = await browser.open({ sessions });
	await rowOf(page, 0).click();
	await page.getByRole("article").waitFor();
	await page.locator("#transcript").press("End");
	assert.ok(await page.evaluate(isWhollyScrolled));
	sessions.transcripts = [{ session: first.session, turns: [long, { ...long, turn: 1 }] }];
	await tell({ kind: "changed", part: "sessions" });
	await page.locator("#turn-1").waitFor();
	assert.ok(await page.evaluate(isWhollyScrolled));
});

test("a session that cannot be read is said, and can be asked for again", async () => {
	const sessions = new FakeSessions(manySessions(2));
	const { page } = await browser.open({ sessions });
	await rowOf(page, 0).waitFor();
	sessions.deleted.add("s0");
	await rowOf(page, 0).click();
	await page.getByRole("alert").getByText("There is no such session any more.").waitFor();
	await page.getByRole("button", { name: "Dismiss" }).press("Enter");
	await page.locator("#sessions:focus").waitFor();
});

function rowOf(page: Page, index: number) {
	return page.locator(`#row-${index}`);
}

async function focusList(page: Page): Promise<void> {
	await rowOf(page, 0).waitFor();
	await page.getByRole("grid").focus();
}

/** A list of so many sessions that has the keyboard. */
async function openList(count: number) {
	const sessions = new FakeSessions(manySessions(count));
	const opened = await browser.open({ sessions });
	await focusList(opened.page);
	return { ...opened, sessions };
}

/** Runs in the page: looks at each frame, for as long as a person would. */
async function isWhollyScrolled(): Promise<boolean> {
	const pane = document.getElementById("transcript") ?? document.body;
	const isThere = () => pane.scrollTop > 0 && pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 2;
	for (let frame = 0; frame < 120 && !isThere(); frame++) await new Promise(requestAnimationFrame);
	return isThere();
}
