import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakePermissions, oneDecision, oneRule } from "../support/fakePermissions.ts";
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
	await page.getByRole("grid").press("Enter");
	for (const summary of await page.locator(".turn summary").all()) await summary.click();
	await check("the transcript");
	await page.getByRole("tab", { name: "Memory" }).click();
	await page.getByRole("listitem").first().waitFor();
	await check("the memory");
	await page.getByRole("tab", { name: "Permissions" }).click();
	await page
		.getByRole("button", { name: /What would it have changed/ })
		.first()
		.click();
	await page.getByRole("group", { name: "Preview" }).waitFor();
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
