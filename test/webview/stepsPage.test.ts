import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { faultsOf } from "./axe.ts";
import { createFakeSessions, type FakeSessions, oneSession, oneTurn } from "./fakeSessions.ts";
import { launchViews } from "./testPage.ts";

const browser = await launchViews();
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

function chainSessions(): FakeSessions {
	const [live, over] = [oneSession(0), oneSession(1)];
	const chain = { events, runs, answer: "", command: "agents" };
	const { outcome: _, ...turn } = oneTurn(0, chain);
	return createFakeSessions([
		{ session: { ...live.session, updatedAt: now }, turns: [turn] },
		{ session: { ...over.session, updatedAt: now - 1 }, turns: [oneTurn(0, chain)] },
	]);
}

test("the steps of a chain are seen, stopped and resumed with the keyboard, and axe finds nothing in them", async () => {
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
	assert.equal(await page.getByRole("button", { name: /^Stop / }).count(), 0, "nothing is at work");
	assert.match((await list.textContent()) ?? "", /tokens \(33%\)/);
	assert.deepEqual(await faultsOf(page), []);
	await resume.press("Enter");
	assert.deepEqual(await asked("resumeChain"), { kind: "resumeChain", session: "s1" });
	assert.deepEqual(problems, []);
});
