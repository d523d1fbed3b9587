import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { outFolder } from "../../scripts/paths.ts";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { createFakePermissions, oneDecision, oneRule, TWO_RULES } from "../support/fakePermissions.ts";
import { listed } from "../support/listed.ts";
import { faultsOf } from "./axe.ts";
import { FakeMemory, oneFact } from "./fakeMemory.ts";
import { FakeSessions, manySessions, oneTurn } from "./fakeSessions.ts";
import { launchViews } from "./testPage.ts";

const browser = await launchViews();

test("the page speaks the language of the window, with its numbers and times", async () => {
	const bundle = { Sessions: "Sitzungen", "{0} turns": '{0} "Runden" <&>', "1 turn": "1 Runde" };
	const sessions = new FakeSessions(manySessions(2));
	const { page, problems } = await browser.open({ sessions, words: { language: "de", bundle } });
	await page.getByRole("tab", { name: "Sitzungen" }).waitFor();
	assert.match((await page.getByRole("row").last().textContent()) ?? "", /\d+ "Runden" <&>|1 Runde/);
	assert.equal(await page.locator("html").getAttribute("lang"), "de");
	assert.match((await page.locator(".time").last().textContent()) ?? "", /^vor |^jetzt|^gestern|^now/);
	assert.deepEqual(problems, []);
});

test("axe finds nothing on any tab, in any theme", async () => {
	const { page } = await browser.open(fullHouse());
	const faults: Record<string, string[]> = {};
	const check = async (part: string) => {
		const found = await faultsOf(page);
		if (found.length > 0) faults[part] = found;
	};
	await page.getByRole("row").first().waitFor();
	await page.getByRole("button", { name: "Filter" }).click();
	await check("the list");
	await page.getByRole("grid").press("Shift+F10");
	await check("the menu");
	await page.keyboard.press("Escape");
	await page.getByRole("grid").press("Enter");
	for (const summary of await page.locator(".turn summary").all()) await summary.click();
	await check("the transcript");
	await page.getByRole("tab", { name: "Memory" }).click();
	await page.getByRole("button", { name: "Edit" }).first().click();
	await check("the memory");
	await page.getByRole("tab", { name: "Permissions" }).click();
	await page.locator("#add-rule").click();
	await page.locator("vscode-button", { hasText: "Add Rule" }).click();
	await page.locator("p.problem").waitFor();
	await check("the permissions");
	assert.deepEqual(faults, {});
});

test("the tab that is chosen is seen in the system's own colors", async () => {
	const { page } = await browser.open(fullHouse());
	await page.emulateMedia({ forcedColors: "active" });
	const line = (name: string) =>
		page.getByRole("tab", { name }).evaluate((tab) => getComputedStyle(tab).borderBottomColor);
	const canvas = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
	assert.notEqual(await line("Sessions"), await line("Memory"));
	assert.equal(await line("Memory"), await line("Permissions"));
	assert.notEqual(await line("Sessions"), canvas);
});

test("the filter of the audit log stands in line with the choice beside it", async () => {
	const { page } = await browser.open(fullHouse());
	await page.getByRole("tab", { name: "Permissions" }).click();
	const bottomOf = async (id: string) => {
		const box = await page.locator(`#${id}`).boundingBox();
		return box ? box.y + box.height : Number.NaN;
	};
	await page.locator("#audit-effect").waitFor();
	const apart = Math.abs((await bottomOf("audit-search")) - (await bottomOf("audit-effect")));
	assert.ok(apart < 2, `${apart} pixels apart`);
});

function fullHouse() {
	const sessions = new FakeSessions(manySessions(12));
	const call = { id: "1", name: "copilot-ld_search_knowledge", input: { query: "lamp" } };
	const turn = oneTurn(0, {
		attachments: ["notes.md"],
		command: "search",
		events: [
			{ kind: "thought", text: "Where may that stand?" },
			{ kind: "toolStarted", call },
			{ kind: "toolFinished", call, ok: true, text: "[people.html:3-9] Person Lotte Varga" },
			{ kind: "permission", tool: "run_command", title: "git status", effect: "allow", by: "person" },
			{ kind: "notice", text: "The index is still being built." },
			{ kind: "citation", citation: { path: "people.html", lines: { start: 3, end: 9 } } },
		],
		answer:
			"# Who\n\n**Lotte** [people.html:3-9] [x](https://x.example)\n\n| a | b |\n|---|---|\n| `c` | d |",
	});
	const failed = oneTurn(1, { outcome: "failed", error: "The model is not there.", answer: "" });
	sessions.transcripts = sessions.transcripts.map(({ session }) => ({ session, turns: [turn, failed] }));
	const argument = { kind: "path", value: "**/.env" } as const;
	const rules = [
		oneRule("r0", { effect: "deny", origin: "settings", argument }),
		oneRule("r1", { tool: "run_command", door: "cli" }),
	];
	const facts = [oneFact("f1", {}), oneFact("f2", { scope: "workspace", text: "Lamps are lit at six" })];
	return {
		sessions,
		memory: new FakeMemory(facts),
		permissions: createFakePermissions(rules, [
			oneDecision({ rule: "r1" }),
			oneDecision({ effect: "deny", by: "person" }),
		]),
		policies: [{ source: ".copilot-ld/config.yaml", paths: ["private/"], doors: ["mcp"] as const }],
	};
}

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
	const [live, over] = manySessions(2);
	assert.ok(live && over);
	const chain = { events, runs, answer: "", command: "agents" };
	const { outcome: _, ...turn } = oneTurn(0, chain);
	return new FakeSessions([
		{ session: { ...live.session, updatedAt: now }, turns: [turn] },
		{ session: { ...over.session, updatedAt: now - 1 }, turns: [oneTurn(0, chain)] },
	]);
}

function pictureOf(page: Page, name: string) {
	return (theme: string) => page.screenshot({ path: join(outFolder, "artifacts", `${name}-${theme}.png`) });
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
	assert.deepEqual(await faultsOf(page, pictureOf(page, "steps")), []);
	await page.getByRole("button", { name: "Stop review-agent" }).press("Enter");
	assert.deepEqual(await asked("stopStep"), { kind: "stopStep", session: "session-of-review" });
	await page.keyboard.press("Escape");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	const resume = page.getByRole("button", { name: "Resume Chain in Chat" });
	await resume.waitFor();
	assert.equal(await page.getByRole("button", { name: /^Stop / }).count(), 0, "nothing is at work");
	assert.match((await list.textContent()) ?? "", /tokens \(33%\)/);
	assert.deepEqual(await faultsOf(page, pictureOf(page, "steps-over")), []);
	await resume.press("Enter");
	assert.deepEqual(await asked("resumeChain"), { kind: "resumeChain", session: "s1" });
	assert.deepEqual(problems, []);
});

test("Tab leads through the list", async () => {
	const { page } = await browser.open({ sessions: new FakeSessions(manySessions(3)) });
	await page.locator("#row-0").waitFor();
	await page.getByRole("button", { name: "Filter" }).press("Enter");
	const filters = "Engine: All engines | Workspace: All workspaces | Date: Any time | Archive: Not archived";
	const stops = listed(`Sessions | Search sessions | Filter | ${filters} | Sessions`);
	assert.deepEqual(await tabStops(page), stops);
});

test("Tab leads through all that a transcript offers", async () => {
	const call = { id: "1", name: "search_knowledge", input: {} };
	const turn = oneTurn(0, {
		events: [
			{ kind: "toolFinished", call, ok: true, text: "found" },
			{ kind: "citation", citation: { path: "people.html", lines: { start: 3, end: 9 } } },
		],
		answer: "Lotte [people.html:3-9], see [her page](https://lotte.example).",
	});
	const sessions = new FakeSessions(manySessions(1));
	sessions.transcripts = sessions.transcripts.map(({ session }) => ({ session, turns: [turn] }));
	const { page } = await browser.open({ sessions });
	await page.locator("#row-0").click();
	await page.getByRole("article").waitFor();
	const bar = "Sessions | Back to Sessions (Escape) | More Actions | Resume in Chat";
	const stops = listed(
		`${bar} | Transcript | search_knowledge | people.html:3 | her page | Fork after turn 1`,
	);
	assert.deepEqual(await tabStops(page), stops);
});

test("Tab leads through the facts", async () => {
	const fact = oneFact("f", { source: { by: "model", session: "s1" } });
	const { page } = await browser.open({ memory: new FakeMemory([fact]) });
	await page.getByRole("tab", { name: "Memory" }).click();
	await page.getByRole("listitem").waitFor();
	const stops = listed("Memory | Filter facts | Facts | Show Session | Edit | Forget");
	assert.deepEqual(await tabStops(page), stops);
});

test("Tab leads through the permissions", async () => {
	const permissions = createFakePermissions(TWO_RULES, [oneDecision({})]);
	const { page } = await browser.open({ permissions });
	await page.getByRole("tab", { name: "Permissions" }).click();
	await page.getByText("run_command").first().waitFor();
	const preview = "What would it have changed in the last 30 days?";
	const stops = `
		Permissions | Add Rule | Rules 2 | ${preview} | Managed in Settings (Select to Open) | ${preview} | Revoke
		Export Rules and Decisions as JSON | Audit Log | Filter decisions | Decision: All decisions
		Resource Policies 0`;
	assert.deepEqual(await tabStops(page), listed(stops));
});

/** The names of the controls that Tab stops at, from the chosen tab to the last one. */
async function tabStops(page: Page): Promise<string[]> {
	await page.locator("[role=tab][aria-selected=true]").focus();
	const stops: string[] = [];
	for (let name = await focused(page); name !== undefined; name = await focused(page)) {
		stops.push(name);
		await page.keyboard.press("Tab");
	}
	return stops;
}

/** The name of the control that has the keyboard; nothing when the page has been left, or begun anew. */
async function focused(page: Page): Promise<string | undefined> {
	return page.evaluate(() => {
		const host = document.activeElement;
		const element = host?.shadowRoot?.activeElement ?? host;
		const marked = document.documentElement.dataset;
		if (!element || element === document.body) return undefined;
		if (element.getAttribute("aria-selected") === "true") {
			if (marked["begun"]) return undefined;
			marked["begun"] = "yes";
		}
		const words = element.getAttribute("aria-label") ?? host?.textContent ?? "";
		return words.replace(/\s+/g, " ").trim();
	});
}
