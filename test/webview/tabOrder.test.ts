import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createFakePermissions, oneDecision, TWO_RULES } from "../support/fakePermissions.ts";
import { listed } from "../support/listed.ts";
import { FakeMemory, oneFact } from "./fakeMemory.ts";
import { FakeSessions, manySessions, oneTurn } from "./fakeSessions.ts";
import { launchViews } from "./testPage.ts";

const browser = await launchViews();

test("Tab leads through the list", async () => {
	const { page } = await browser.open({ sessions: new FakeSessions(manySessions(3)) });
	await page.locator("#row-0").waitFor();
	await page.getByRole("button", { name: "Filter" }).press("Enter");
	const filters = "Engine | Workspace | Date | Archive";
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
		Export Rules and Decisions as JSON | Audit Log | Filter decisions | Decision
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
