import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { outFolder } from "../../scripts/paths.ts";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { FakeSessions, manySessions, oneTurn } from "./fakeSessions.ts";
import { TestBrowser } from "./testPage.ts";

let browser: TestBrowser;
before(async () => {
	browser = await TestBrowser.launch();
});
after(() => browser.close());

const now = Date.now();
const stage = (...ids: readonly string[]) => ({ steps: ids.map((id) => ({ id, agent: `${id}-agent` })) });
const call = { id: "1", name: "grep", input: { pattern: "leak" } };
const events: AgentEvent[] = [
	{
		kind: "chain",
		chain: { onFailure: "continue", stages: [stage("read"), stage("review", "test"), stage("sum")] },
	},
	{ kind: "toolStarted", step: "read", call },
	{ kind: "toolFinished", step: "read", call, ok: true, text: "a.md:3" },
];
const at = (seconds: number) => now - seconds * 1000;
const run = (step: string, started: number, heard: number) => ({
	...{ step, agent: `${step}-agent`, attempt: 1, startedAt: at(started), heardAt: at(heard), tokens: 1234 },
});
const runs = [
	{ ...run("read", 200, 150), ended: { at: at(150), outcome: "failed", text: "<b>No</b> [x](y)" } as const },
	{ ...run("review", 140, 2), tool: "bash" },
	run("test", 140, 130),
];

function chainSessions(): FakeSessions {
	const [first] = manySessions(1);
	assert.ok(first);
	const { outcome: _, ...turn } = oneTurn(0, { events, runs, answer: "", command: "agents" });
	return new FakeSessions([{ session: { ...first.session, updatedAt: now }, turns: [turn] }]);
}

for (const theme of ["dark", "light", "high-contrast"] as const)
	test(`the steps of a chain are seen and stopped with the keyboard, in ${theme}`, async () => {
		const { page, asked, problems } = await browser.open({ sessions: chainSessions(), theme });
		await page.locator("#row-0").waitFor();
		await page.getByRole("grid").focus();
		await page.keyboard.press("Enter");
		await page.getByText("review-agent").waitFor();
		const list = page.getByRole("list", { name: "Steps", exact: true });
		assert.match(
			((await list.textContent()) ?? "").replace(/\s+/g, " "),
			/read-agent failed.*at work · bash.*no sign of life.*waiting/,
		);
		await page.getByText("read-agent").click();
		await page.getByText("<b>No</b> [x](y)").waitFor();
		mkdirSync(join(outFolder, "artifacts"), { recursive: true });
		await page.screenshot({ path: join(outFolder, "artifacts", `steps-${theme}.png`) });
		await page.evaluate(axe.source);
		const { violations } = await page.evaluate(() =>
			(window as unknown as { axe: typeof axe }).axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] }),
		);
		assert.deepEqual(
			violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
			[],
		);
		await page.getByRole("button", { name: "Stop review-agent" }).press("Enter");
		assert.deepEqual(await asked("stopStep"), { kind: "stopStep", session: "s0", step: "review" });
		assert.deepEqual(problems, []);
		await page.close();
	});
