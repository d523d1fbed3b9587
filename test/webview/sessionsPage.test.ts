import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { TranscriptTurn } from "../../src/core/session/session.ts";
import { menuOf } from "../../webview/model/state.ts";
import { createFakeSessions, manySessions, oneSession, oneTurn } from "./fakeSessions.ts";
import { faultsOf, launchViews } from "./testPage.ts";

const browser = await launchViews();

test("of 10,000 sessions only visible sessions are in the page; the End key reaches the last, also after a reload", async () => {
	const { page, requests } = await openList(10_000);
	assert.ok((await page.getByRole("row").count()) < 60);
	await page.getByRole("grid").press("End");
	await rowOf(page, 9999).waitFor();
	assert.ok((await page.getByRole("row").count()) < 60);
	assert.equal(await page.getByRole("grid").getAttribute("aria-activedescendant"), "row-9999");
	// The rows between both ends were not requested.
	assert.ok(requests.filter(({ kind }) => kind === "listSessions").length <= 4);
	await page.reload();
	await page.locator("#row-9999.active").waitFor();
});

test("F2 asks the host for another title, Delete deletes a session, and Ctrl+Z restores the session", async () => {
	const { page, asked, requests, sessions } = await openList(3);
	const { title } = oneSession(0).session;
	const renamed = { kind: "renameSession", session: "s0", title };
	await page.keyboard.press("F2");
	assert.deepEqual(await asked("renameSession"), renamed);
	await page.keyboard.press("Enter");
	await page.getByText("Question 1 of session 0").waitFor();
	await page.keyboard.press("F2");
	await page.keyboard.press("Escape");
	await page.keyboard.press("Delete");
	await rowOf(page, 0).getByText("Session 1 about").waitFor();
	await page.getByText(`Deleted “${title}”`, { exact: true }).waitFor();
	await page.keyboard.press("ControlOrMeta+Z");
	await rowOf(page, 0).getByText("Session 0 about").waitFor();
	assert.equal(sessions.deleted.size, 0);
	const renamings = requests.filter(({ kind }) => kind === "renameSession");
	assert.deepEqual(renamings, [renamed, renamed], "from the list, and from the session");
});

test("VS Code's menu applies to the row under the pointer, the active row, or the open session", async () => {
	const { page } = await openList(3);
	const opened =
		page.evaluate<string>(`new Promise((resolve) => document.addEventListener("contextmenu", ({ target }) =>
		resolve(target.closest("[data-vscode-context]").dataset.vscodeContext)))`);
	await rowOf(page, 1).hover();
	await rowOf(page, 1).getByRole("button", { name: "More Actions" }).click();
	assert.equal(await opened, menuOf(oneSession(1).session, "row"));
	await page.getByRole("grid").press("End");
	await page.locator("[role=grid][data-vscode-context*=s2]").waitFor();
	await page.getByRole("grid").press("Enter");
	const said = await page.locator("section[data-vscode-context*=s2]").getAttribute("data-vscode-context");
	assert.equal(said, menuOf(oneSession(2).session, "transcript"));
});

test("the slash key moves to the search, and a hit opens the session at the found turn", async () => {
	const { page, asked } = await openList(5);
	await page.keyboard.press("/");
	// In one piece: pauses while typing would search for the text typed so far.
	await page.keyboard.insertText("Question 1 of session 3");
	assert.equal((await asked("searchSessions")).text, "Question 1 of session 3");
	await rowOf(page, 0).getByText("Session 3 about").waitFor();
	assert.equal(await page.getByRole("row").count(), 1);
	await page.keyboard.press("Tab");
	await focusList(page);
	await page.keyboard.press("Enter");
	await page.locator("#turn-1.target").waitFor();
});

test("a list scrolled to the top stays there when new sessions arrive above the active row", async () => {
	const sessions = createFakeSessions(manySessions(100).slice(50));
	const { page, tell } = await browser.open({ sessions });
	await rowOf(page, 0).getByText("Session 50").waitFor();
	sessions.transcripts = manySessions(100);
	await tell({ kind: "changed", part: "sessions" });
	await rowOf(page, 0).getByText("Session 0").waitFor();
	assert.equal(await page.getByRole("grid").evaluate((list) => list.scrollTop), 0);
	await page.getByRole("grid").press("ArrowDown");
	await page.locator("#row-51.active").waitFor();
});

test("the transcript shows a running turn's growing answer, and stays scrolled to the end", async () => {
	const { session } = oneSession(0);
	const long = oneTurn(0, { answer: "words\n\n".repeat(200) });
	const { outcome: _open, ...running } = oneTurn(1, { question: "And who lights it?", answer: "" });
	const sessions = createFakeSessions([{ session, turns: [long] }]);
	const { page, tell } = await browser.open({ sessions });
	const grow = (...turns: readonly TranscriptTurn[]) => {
		sessions.transcripts = [{ session: { ...session, updatedAt: Date.now() }, turns: [long, ...turns] }];
		return tell({ kind: "changed", part: "sessions" });
	};
	await rowOf(page, 0).click();
	await page.getByRole("article").waitFor();
	await page.locator("#transcript").press("End");
	assert.ok(await page.evaluate(isWhollyScrolled));
	await grow(running);
	await page.getByText("And who lights it?").waitFor();
	await page.getByText("Working…").waitFor();
	await grow({ ...running, answer: "The keeper.\n\n".repeat(50), outcome: "done" });
	await page.getByText("The keeper.").last().waitFor();
	assert.equal(await page.getByText("Working…").count(), 0);
	assert.ok(await page.evaluate(isWhollyScrolled));
});

const now = Date.now();
const stage = (...ids: readonly string[]) => ({ steps: ids.map((id) => ({ id, agent: `${id}-agent` })) });
const call = { id: "1", name: "grep", input: { pattern: "leak" } };
const stages = [stage("read"), stage("review", "test"), stage("sum")];
const events: AgentEvent[] = [
	{ kind: "chain", chain: { onFailure: "continue", stages } },
	{ kind: "toolStarted", step: "read", call },
	{ kind: "toolFinished", step: "read", call, ok: true, text: "a.md:3" },
];
const at = (seconds: number) => now - seconds * 1000;
const run = (step: string, started: number, heard: number) => ({
	...{ step, agent: `${step}-agent`, attempt: 1, startedAt: at(started), heardAt: at(heard), tokens: 1234 },
});
const runs = [
	{ ...run("read", 200, 150), ended: { at: at(150), outcome: "failed", text: "<b>No</b> [x](y)" } as const },
	{ ...run("review", 140, 2), tool: "bash", session: "session-of-review" },
	run("test", 140, 130),
];

function chainSessions() {
	const [live, over] = [oneSession(0), oneSession(1)];
	const chain = { events, runs, answer: "", command: "agents" };
	const { outcome: _, ...turn } = oneTurn(0, chain);
	return createFakeSessions([
		{ session: { ...live.session, updatedAt: now }, turns: [turn] },
		{ session: { ...over.session, updatedAt: now - 1 }, turns: [oneTurn(0, chain)] },
	]);
}

test("the keyboard lists, stops and resumes the steps of a chain, and axe finds no fault", async () => {
	const { page, asked, problems } = await browser.open({ sessions: chainSessions() });
	await page.locator("#row-0").waitFor();
	await page.getByRole("grid").focus();
	await page.keyboard.press("Enter");
	await page.getByText("review-agent").waitFor();
	const list = page.getByRole("list", { name: "Steps", exact: true });
	const shown = ((await list.textContent()) ?? "").replace(/\s+/g, " ");
	assert.match(shown, /read-agent failed.*running · bash.*not responding.*waiting/);
	await page.getByText("read-agent").click();
	await page.getByText("<b>No</b> [x](y)").waitFor();
	assert.deepEqual(await faultsOf(page), []);
	await page.getByRole("button", { name: "Stop review-agent" }).press("Enter");
	assert.deepEqual(await asked("stopStep"), { kind: "stopStep", session: "session-of-review" });
	await page.keyboard.press("Escape");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	const resume = page.getByRole("button", { name: "Resume Chain in Chat" });
	await resume.waitFor();
	assert.equal(await page.getByRole("button", { name: /^Stop / }).count(), 0, "no step is running");
	assert.match((await list.textContent()) ?? "", /tokens \(33%\)/);
	assert.deepEqual(await faultsOf(page), []);
	await resume.press("Enter");
	assert.deepEqual(await asked("resumeChain"), { kind: "resumeChain", session: "s1" });
	assert.deepEqual(problems, []);
});

function rowOf(page: Page, index: number) {
	return page.locator(`#row-${index}`);
}

async function focusList(page: Page): Promise<void> {
	await rowOf(page, 0).waitFor();
	await page.getByRole("grid").focus();
}

/** Opens a list of `count` sessions that has the focus. */
async function openList(count: number) {
	const sessions = createFakeSessions(manySessions(count));
	const opened = await browser.open({ sessions });
	await focusList(opened.page);
	return { ...opened, sessions };
}

/** Runs in the page: checks each frame, for as long as a user would wait. */
async function isWhollyScrolled(): Promise<boolean> {
	const pane = document.getElementById("transcript") ?? document.body;
	const isThere = () => pane.scrollTop > 0 && pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 2;
	for (let frame = 0; frame < 120 && !isThere(); frame++) await new Promise(requestAnimationFrame);
	return isThere();
}
