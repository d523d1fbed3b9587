import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import {
	createFakePermissions,
	type FakePermissions,
	oneDecision,
	oneRule,
	TWO_RULES,
} from "../support/fakePermissions.ts";
import { listed } from "../support/listed.ts";
import { times } from "../support/times.ts";
import { createFakeMemory, oneFact } from "./fakeMemory.ts";
import { createFakeSessions, manySessions, oneSession, oneTurn } from "./fakeSessions.ts";
import { faultsOf, launchViews } from "./testPage.ts";

const browser = await launchViews();

test("the sessions page uses the window's language for texts, numbers and times", async () => {
	const bundle = { Sessions: "Sitzungen", "{0} turns": '{0} "Runden" <&>', "1 turn": "1 Runde" };
	const sessions = createFakeSessions(manySessions(2));
	const { page, problems } = await browser.open({ sessions, words: { language: "de", bundle } });
	await page.getByRole("tab", { name: "Sitzungen" }).waitFor();
	assert.match((await page.getByRole("row").last().textContent()) ?? "", /\d+ "Runden" <&>|1 Runde/);
	assert.equal(await page.locator("html").getAttribute("lang"), "de");
	assert.match((await page.locator(".time").last().textContent()) ?? "", /^vor |^jetzt|^gestern|^now/);
	assert.deepEqual(problems, []);
});

const STOPS = {
	sessions: "Search sessions | Filter | Engine | Workspace | Date | Archive | Sessions",
	transcript: `
		Back to Sessions (Escape) | More Actions | Resume in Chat | Transcript | Thought | lamp
		people.html:3 | x | Fork after turn 1 | Fork after turn 2`,
	memory: "Filter facts | Facts | Show Session | Edit | Forget",
	permissions: `
		Add Rule | Rules 2 | Managed in Settings (Select to Open) | Revoke
		Export Rules and Decisions as JSON | Audit Log | Filter decisions | Decision
		Resource Policies 1`,
};

test("on every tab, the Tab key reaches all controls and axe finds no fault in any theme", async () => {
	const { page } = await browser.open(fullHouse("lamp"));
	const visited: string[] = [];
	await visitEach(page, async (part) => {
		visited.push(part);
		assert.deepEqual([await tabStops(page), await faultsOf(page)], [listed(STOPS[part]), []]);
	});
	await page.getByText("from MCP clients · lamp").waitFor();
	assert.deepEqual(visited, Object.keys(STOPS));
});

test("the chosen tab is visible in forced colors", async () => {
	const { page } = await browser.open({});
	await page.emulateMedia({ forcedColors: "active" });
	const line = (name: string) =>
		page.getByRole("tab", { name }).evaluate((tab) => getComputedStyle(tab).borderBottomColor);
	const canvas = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
	assert.notEqual(await line("Sessions"), await line("Memory"));
	assert.equal(await line("Memory"), await line("Permissions"));
	assert.notEqual(await line("Sessions"), canvas);
});

const EVIL = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;

test("markup from models, tools and users is shown as text, within a width of 200 pixels", async () => {
	const { page, problems } = await browser.open({ ...fullHouse(EVIL), width: 200 });
	const shown: unknown[] = [];
	await visitEach(page, async () => {
		await page.getByText(EVIL).first().waitFor({ state: "attached" });
		shown.push([await page.locator("#root :is(img, script, iframe, a[href])").count(), await tooWide(page)]);
	});
	assert.deepEqual(shown, Array(4).fill([0, []]));
	assert.notEqual(await page.title(), "taken");
	assert.deepEqual(problems, []);
});

test("links of an answer only ask the host to open a page", async () => {
	const answer =
		"[one](https://one.example/a) [two](javascript:alert(1)) [three](command:workbench.reload) ![pic](https://spy.example/x.png)";
	const { page, asked } = await openAnswer(answer);
	await page.getByRole("link", { name: "one" }).click();
	assert.equal((await asked("openLink")).href, "https://one.example/a");
	assert.equal(await page.locator("a[href], img, iframe").count(), 0);
	// Markdown itself makes no link to a script; the host refuses the other scheme.
	assert.equal(await page.getByRole("link", { name: "two" }).count(), 0);
	await page.getByRole("link", { name: "three" }).click();
	await page
		.getByRole("alert")
		.getByText(/Only web and mail links/)
		.waitFor();
});

test("a citation links to the cited file whatever the file's name and the next text; a citation in code is plain text", async () => {
	const { page, asked } = await openAnswer(
		"One [x%5D %5Bsrc/*a*&amp;.md:3](https://evil.example) and [b.md:1], `[code.html:1-2]`.\n\n[b.md:1]: https://evil.example",
	);
	await page.getByRole("link", { name: "*a*&amp;.md:3" }).click();
	const cited = { path: "x] [src/*a*&amp;.md", lines: { start: 3, end: 3 } };
	assert.deepEqual((await asked("openCitation")).citation, cited);
	assert.equal(await page.locator(".markdown .citation").count(), 3);
	await page.getByText("[code.html:1-2]").waitFor();
	assert.equal(await page.locator(".markdown .link").count(), 0);
});

test("a user's rule can be revoked and restored, unlike a managed rule", async () => {
	const permissions = createFakePermissions(TWO_RULES);
	const { page, asked } = await openPermissions(permissions);
	const managed = page.getByRole("listitem").filter({ hasText: "delete_*" }).first();
	assert.equal(await managed.getByRole("button", { name: "Revoke" }).count(), 0);
	await managed.getByRole("button", { name: /Managed in Settings/ }).waitFor();
	await page.getByRole("button", { name: "Revoke" }).press("Enter");
	await page.getByText("Revoked “allow, tool run_command”", { exact: true }).waitFor();
	assert.equal(permissions.made.length, 1);
	await page.locator("#undo").press("Enter");
	await page.getByRole("button", { name: "Revoke" }).waitFor();
	const restored = { effect: "allow", scope: "always", tool: "run_command" } as const;
	assert.partialDeepStrictEqual(permissions.made[1], restored);
	await page.locator("#add-rule").press("Enter");
	assert.deepEqual(await asked("makeRule"), { kind: "makeRule" });
});

test("the audit log is filtered by text and effect, and shows more lines on demand", async () => {
	const log = times(250, (at) => oneDecision({ effect: at % 5 === 0 ? "deny" : "allow" }, `Run step ${at}`));
	const { page, asked } = await openPermissions(createFakePermissions([], log));
	const lines = page.getByRole("region", { name: "Audit Log" }).getByRole("listitem");
	await lines.nth(99).waitFor();
	await page.getByRole("button", { name: "Show More" }).press("Enter");
	await lines.nth(199).waitFor();
	await page.getByRole("combobox", { name: "Decision" }).selectOption("Denied");
	await lines.nth(40).waitFor({ state: "detached" });
	assert.equal(await lines.count(), 40);
	await page.locator("#audit-search").fill("step 24");
	await lines.nth(3).waitFor({ state: "detached" });
	assert.equal((await asked("listDecisions")).text, "step 24");
});

test("the keyboard moves between tabs, and edits, forgets and restores a fact", async () => {
	const memory = createFakeMemory([oneFact("f1", { text: "The lamp is lit at six" })]);
	const { page, asked } = await browser.open({ memory });
	await page.getByRole("tab", { name: "Sessions" }).focus();
	for (const [key, name] of Object.entries({ ArrowLeft: "Permissions", ArrowRight: "Sessions" })) {
		await page.keyboard.press(key);
		await page.getByRole("tab", { name, selected: true }).waitFor();
	}
	await page.keyboard.press("ArrowRight");
	await page.getByRole("button", { name: "Edit" }).press("Enter");
	assert.deepEqual(await asked("editFact"), { kind: "editFact", fact: "f1", text: "The lamp is lit at six" });
	await page.getByRole("button", { name: "Forget" }).press("Enter");
	await page.getByText("Nothing is remembered yet").waitFor();
	assert.equal(memory.known.length, 0);
	await page.keyboard.press("ControlOrMeta+Z");
	await page.getByRole("listitem").getByText("The lamp is lit at six").waitFor();
});

async function openPermissions(permissions: FakePermissions) {
	const opened = await browser.open({ permissions });
	await opened.page.getByRole("tab", { name: "Permissions" }).click();
	await opened.page.getByRole("region", { name: "Rules" }).waitFor();
	return opened;
}

async function openAnswer(answer: string) {
	const { session } = oneSession(0);
	const sessions = createFakeSessions([{ session, turns: [oneTurn(0, { answer })] }]);
	const opened = await browser.open({ sessions });
	await opened.page.locator("#row-0").click();
	return opened;
}

/** Data for everything that the view can show, with these words in every text. */
function fullHouse(words: string) {
	const whole = `${words} ${"x".repeat(300)}`;
	const call = { id: "1", name: words, input: { [words]: words } };
	const answered = oneTurn(0, {
		...{ question: whole, command: words, attachments: ["<img src=x>.md", `${"long".repeat(30)}.md`] },
		events: [
			{ kind: "thought", text: words },
			{ kind: "toolStarted", call },
			{ kind: "toolFinished", call, ok: true, text: words },
			{ kind: "permission", tool: words, title: words, effect: "allow", by: "person" },
			{ kind: "notice", text: words },
			{ kind: "citation", citation: { path: "people.html", lines: { start: 3, end: 9 } } },
		],
		answer: `# Who\n\n**L** [people.html:3-9] [x](https://x.example) ${whole}\n\n| a ${whole} |\n|---|\n| \`c\` |\n\n\`\`\`${words}\n${whole}\n\`\`\``,
	});
	const turns = [answered, oneTurn(1, { outcome: "failed", error: words, answer: "" })];
	const rules = [
		oneRule("managed", { effect: "deny", origin: "settings", tool: "t".repeat(80) }),
		oneRule("own", { tool: words, channel: "cli" }),
	];
	const facts = [oneFact("f", { source: { by: "model", session: "s1" }, text: words, scope: "workspace" })];
	const decisions = [oneDecision({ rule: "own" }, words), oneDecision({ effect: "deny", by: "person" })];
	const session = { ...oneSession(0).session, title: words };
	return {
		sessions: createFakeSessions([{ session, turns }, ...manySessions(12).slice(1)]),
		memory: createFakeMemory(facts),
		permissions: createFakePermissions(rules, decisions),
		policies: [{ source: words, paths: ["private/"], types: [words], channels: ["mcp"] as const }],
	};
}

/** Visits the filtered list, a transcript with open steps, the facts and the permissions. */
async function visitEach(page: Page, look: (part: keyof typeof STOPS) => Promise<void>): Promise<void> {
	await page.locator("#row-0").waitFor();
	await page.getByRole("button", { name: "Filter" }).click();
	await look("sessions");
	await page.locator("#row-0").click();
	await page.getByRole("article").first().waitFor();
	for (const summary of await page.locator(".turn summary").all()) await summary.click();
	await look("transcript");
	await page.getByRole("tab", { name: "Memory" }).click();
	await page.getByRole("listitem").first().waitFor();
	await look("memory");
	await page.getByRole("tab", { name: "Permissions" }).click();
	await page.getByRole("region", { name: "Rules" }).getByRole("listitem").first().waitFor();
	await look("permissions");
}

/** Names of the controls that Tab reaches after the chosen tab, until the focus leaves the page or starts again. */
async function tabStops(page: Page): Promise<string[]> {
	await page.locator("[role=tab][aria-selected=true]").focus();
	const stops: string[] = [];
	for (;;) {
		await page.keyboard.press("Tab");
		const name = await page.evaluate(nameOfFocused);
		if (name === undefined) return stops;
		stops.push(name);
	}
}

function nameOfFocused(): string | undefined {
	const host = document.activeElement;
	const element = host?.shadowRoot?.activeElement ?? host;
	if (!element || element === document.body) return undefined;
	if (element.getAttribute("aria-selected") === "true") return undefined;
	const words = element.getAttribute("aria-label") ?? host?.textContent ?? "";
	return words.replace(/\s+/g, " ").trim();
}

/** Elements that extend beyond the right edge of the page. */
async function tooWide(page: Page): Promise<string[]> {
	return page.evaluate(() =>
		[...document.querySelectorAll("#root *")]
			.filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
			.map((element) => element.outerHTML.slice(0, 120)),
	);
}
