import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { FakeMemory, oneFact } from "./fakeMemory.ts";
import { FakePermissions, oneDecision, oneRule } from "./fakePermissions.ts";
import { FakeSessions, manySessions, oneTurn } from "./fakeSessions.ts";
import { TestBrowser } from "./testPage.ts";

const browser = await TestBrowser.launch();

test("Tab leads through the list", async () => {
	const { page } = await browser.open({ sessions: new FakeSessions(manySessions(3)) });
	await page.locator("#row-0").waitFor();
	await page.getByRole("button", { name: "Filter" }).press("Enter");
	assert.deepEqual(await tabStops(page), [
		"Sessions",
		"Search sessions",
		"Filter",
		"Engine: All engines",
		"Workspace: All workspaces",
		"Date: Any time",
		"Archive: Not archived",
		"Sessions",
	]);
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
	assert.deepEqual(await tabStops(page), [
		"Sessions",
		"Back to Sessions (Escape)",
		"More Actions",
		"Resume in Chat",
		"Transcript",
		"search_knowledge",
		"people.html:3",
		"her page",
		"Fork after turn 1",
	]);
});

test("Tab leads through the facts", async () => {
	const { page } = await browser.open({
		memory: new FakeMemory([oneFact("f", { source: { by: "model", session: "s1" } })]),
	});
	await page.getByRole("tab", { name: "Memory" }).click();
	await page.getByRole("listitem").waitFor();
	assert.deepEqual(await tabStops(page), [
		"Memory",
		"Filter facts",
		"Facts",
		"Show Session",
		"Edit",
		"Forget",
	]);
});

test("Tab leads through the permissions", async () => {
	const permissions = new FakePermissions(
		[
			{ rule: oneRule("managed", { tool: "delete_*", origin: "settings" }) },
			{ rule: oneRule("own", { tool: "run_command" }) },
		],
		[oneDecision({})],
	);
	const { page } = await browser.open({ permissions });
	await page.getByRole("tab", { name: "Permissions" }).click();
	await page.getByText("run_command").first().waitFor();
	const preview = "What would it have changed in the last 30 days?";
	assert.deepEqual(await tabStops(page), [
		"Permissions",
		"Add Rule",
		"Rules 2",
		preview,
		"Managed in Settings (Select to Open)",
		preview,
		"Revoke",
		"Export Rules and Decisions as JSON",
		"Audit Log",
		"Filter decisions",
		"Decision: All decisions",
		"Resource Policies 0",
	]);
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
