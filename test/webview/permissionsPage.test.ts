import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { Transcript } from "../../src/core/session/session.ts";
import {
	createFakePermissions,
	type FakePermissions,
	oneDecision,
	oneRule,
	TWO_RULES,
} from "../support/fakePermissions.ts";
import { FakeMemory, oneFact } from "./fakeMemory.ts";
import { FakeSessions, manySessions, oneTurn } from "./fakeSessions.ts";
import { launchViews } from "./testPage.ts";

const browser = await launchViews();

test("a rule of a person can be revoked and brought back; one of the settings cannot be revoked", async () => {
	const permissions = createFakePermissions(TWO_RULES);
	const { page } = await openPermissions(permissions);
	const managed = page.getByRole("listitem").filter({ hasText: "delete_*" });
	assert.equal(await managed.getByRole("button", { name: "Revoke" }).count(), 0);
	await managed.getByRole("button", { name: /Managed in Settings/ }).waitFor();
	await page.getByRole("button", { name: "Revoke" }).press("Enter");
	await page.getByText("Revoked “allow, tool run_command”", { exact: true }).waitFor();
	assert.equal(permissions.made.length, 1);
	await page.locator("#undo").press("Enter");
	await page.getByRole("listitem").filter({ hasText: "run_command" }).waitFor();
	assert.equal(permissions.made[1]?.tool, "run_command");
});

test("the form says what is wrong, and adds a sound rule with the keyboard alone", async () => {
	const permissions = createFakePermissions();
	const { page } = await openPermissions(permissions);
	await page.locator("#add-rule").press("Enter");
	await page.locator("#rule-effect:focus").waitFor();
	await page.locator("vscode-button", { hasText: "Add Rule" }).press("Enter");
	await page.locator("p.problem", { hasText: "would allow everything" }).waitFor();
	await page.locator("#rule-tool:focus").waitFor();
	await page.keyboard.type("run_command");
	await page.getByRole("combobox", { name: "Argument" }).press("ArrowDown");
	for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
	await page.locator("#rule-argument").press("g");
	await page.keyboard.type("it status");
	await page.locator("vscode-button", { hasText: "Add Rule" }).press("Enter");
	await page.getByRole("listitem").filter({ hasText: "git status" }).waitFor();
	await page.locator("#add-rule:focus").waitFor();
	const { effect, tool, argument } = permissions.made[0] ?? {};
	assert.deepEqual([effect, tool], ["allow", "run_command"]);
	assert.deepEqual(argument, { kind: "command", value: "git status" });
});

test("a preview says what a rule would have changed", async () => {
	const rule = oneRule("own", { effect: "deny", tool: "run_command" });
	const permissions = createFakePermissions(
		[rule],
		[oneDecision({}, "Run make"), oneDecision({}, "Run npm")],
	);
	const { page } = await openPermissions(permissions);
	await page.getByRole("button", { name: /What would it have changed/ }).press("Enter");
	await page.getByText("2 calls would have been denied.").waitFor();
	await page.getByRole("group", { name: "Preview" }).getByText("Run npm").waitFor();
});

test("the log is filtered by words and by effect, and grows on demand", async () => {
	const log = Array.from({ length: 250 }, (_, index) =>
		oneDecision({ effect: index % 5 === 0 ? "deny" : "allow" }, `Run step ${index}`),
	);
	const { page, asked } = await openPermissions(createFakePermissions([], log));
	const lines = page.getByRole("region", { name: "Audit Log" }).getByRole("listitem");
	await lines.nth(99).waitFor();
	await page.locator("vscode-button", { hasText: "Show More" }).press("Enter");
	await lines.nth(199).waitFor();
	await page.getByRole("combobox", { name: "Decision" }).press("ArrowDown");
	for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
	await lines.nth(40).waitFor({ state: "detached" });
	assert.equal(await lines.count(), 40);
	await page.locator("#audit-search input").fill("step 24");
	await lines.nth(3).waitFor({ state: "detached" });
	assert.equal((await asked("listDecisions")).text, "step 24");
});

test("resource policies are shown, without a way to change them", async () => {
	const source = "isles/.copilot-ld/config.yaml";
	const policies = [{ source, paths: ["private/"], doors: ["mcp"] as const }];
	const { page } = await browser.open({ policies });
	await page.getByRole("tab", { name: "Permissions" }).click();
	const policy = page.getByRole("region", { name: "Resource Policies" }).getByRole("listitem");
	await policy.getByText("Hides private/").waitFor();
	await policy.getByText("from MCP clients · isles/.copilot-ld/config.yaml").waitFor();
	assert.equal(await policy.getByRole("button").count(), 0);
});

test("a fact is mended and forgotten with the keyboard, and forgetting can be undone", async () => {
	const memory = new FakeMemory([oneFact("f1", { text: "The lamp is lit at six" })]);
	const { page } = await browser.open({ memory });
	await page.getByRole("tab", { name: "Memory" }).click();
	await page.getByRole("button", { name: "Edit" }).press("Enter");
	await page.locator("#edit:focus").waitFor();
	await page.keyboard.press("ControlOrMeta+A");
	await page.keyboard.type("The lamp is lit at seven");
	await page.keyboard.press("Enter");
	await page.getByText("The lamp is lit at seven").waitFor();
	await page.getByRole("button", { name: "Forget" }).press("Enter");
	await page.getByText("Nothing is remembered yet").waitFor();
	assert.equal(memory.known.length, 0);
	await page.keyboard.press("ControlOrMeta+Z");
	await page.getByRole("listitem").getByText("The lamp is lit at seven").waitFor();
});

test("the arrows lead from tab to tab", async () => {
	const { page } = await browser.open({});
	await page.getByRole("tab", { name: "Sessions" }).focus();
	await page.keyboard.press("ArrowLeft");
	await page.getByRole("tab", { name: "Permissions", selected: true }).waitFor();
	await page.keyboard.press("ArrowRight");
	await page.getByRole("tab", { name: "Sessions", selected: true }).waitFor();
});

async function openPermissions(permissions: FakePermissions) {
	const opened = await browser.open({ permissions });
	await showPermissions(opened.page);
	return opened;
}

async function showPermissions(page: Page): Promise<void> {
	await page.getByRole("tab", { name: "Permissions" }).click();
	await page.getByRole("region", { name: "Rules" }).waitFor();
}

const EVIL = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;

test("markup in what models, tools and people say is text, wherever it is shown", async () => {
	const call = { id: EVIL, name: EVIL, input: { [EVIL]: EVIL } };
	const turn = oneTurn(0, {
		question: EVIL,
		command: EVIL,
		attachments: [EVIL],
		answer: `${EVIL}\n\n| ${EVIL} |\n|---|\n| ${EVIL} |\n\n\`\`\`${EVIL}\n${EVIL}\n\`\`\``,
		events: [
			{ kind: "notice", text: EVIL },
			{ kind: "thought", text: EVIL },
			{ kind: "toolFinished", call, ok: true, text: EVIL },
			{ kind: "permission", tool: EVIL, title: EVIL, effect: "deny", by: "rule" },
		],
	});
	const decision = oneDecision({}, EVIL);
	const { page, problems } = await browser.open({
		sessions: withTurn(turn),
		memory: new FakeMemory([oneFact("f", { text: EVIL })]),
		permissions: createFakePermissions([oneRule("r", { tool: EVIL })], [decision]),
		policies: [{ source: EVIL, types: [EVIL] }],
	});
	await page.locator("#row-0").click();
	await page.getByRole("article").waitFor();
	await assertInert(page);
	await page.getByRole("tab", { name: "Memory" }).click();
	await page.getByRole("listitem").waitFor();
	await assertInert(page);
	await page.getByRole("tab", { name: "Permissions" }).click();
	await page.getByText(EVIL).first().waitFor();
	await assertInert(page);
	assert.deepEqual(problems, []);
});

test("links lead nowhere by themselves: the host is asked", async () => {
	const answer =
		"[one](https://one.example/a) [two](javascript:alert(1)) [three](command:workbench.reload) ![pic](https://spy.example/x.png)";
	const { page, asked } = await browser.open({ sessions: withTurn(oneTurn(0, { answer })) });
	await page.locator("#row-0").click();
	await page.getByRole("link", { name: "one" }).click();
	assert.equal((await asked("openLink")).href, "https://one.example/a");
	assert.equal(await page.locator("a[href], img, iframe").count(), 0);
	// Markdown itself makes no link of a script; the host refuses the other scheme.
	assert.equal(await page.getByRole("link", { name: "two" }).count(), 0);
	await page.getByRole("link", { name: "three" }).click();
	const alert = page.getByRole("alert");
	await alert.getByText(/Only web and mail links/).waitFor();
});

test("a citation is its file's, whatever its name is and whatever follows it", async () => {
	const answer =
		"One [x%5D %5Bsrc/*a*&amp;.md:3](https://evil.example) and [b.md:1].\n\n[b.md:1]: https://evil.example";
	const { page, asked } = await browser.open({ sessions: withTurn(oneTurn(0, { answer })) });
	await page.locator("#row-0").click();
	await page.getByRole("link", { name: "*a*&amp;.md:3" }).click();
	const cited = { path: "x] [src/*a*&amp;.md", lines: { start: 3, end: 3 } };
	assert.deepEqual((await asked("openCitation")).citation, cited);
	assert.equal(await page.locator(".markdown .citation").count(), 3);
	assert.equal(await page.locator(".markdown .link").count(), 0);
});

test("a citation opens its lines through the host, and one in code is text", async () => {
	const answer = "Lotte [people.html:3-9], written `[code.html:1-2]`.";
	const { page, asked } = await browser.open({ sessions: withTurn(oneTurn(0, { answer })) });
	await page.locator("#row-0").click();
	await page.getByRole("link", { name: "people.html:3" }).click();
	const cited = { path: "people.html", lines: { start: 3, end: 9 } };
	assert.deepEqual((await asked("openCitation")).citation, cited);
	assert.equal(await page.getByRole("link").count(), 1);
	await page.getByText("[code.html:1-2]").waitFor();
});

test("at 200 pixels nothing is wider than the page, and every control can be reached", async () => {
	const turn = oneTurn(0, {
		question: "a-word-without-any-place-to-break-it".repeat(8),
		answer: `${"x".repeat(300)}\n\n| one | two | three |\n|---|---|---|\n| ${"y".repeat(90)} | b | c |\n\n\`\`\`\n${"z".repeat(400)}\n\`\`\``,
	});
	const rule = oneRule("r", { tool: "t".repeat(80) });
	const permissions = createFakePermissions([rule], [oneDecision({})]);
	const { page } = await browser.open({ sessions: withTurn(turn), permissions, width: 200 });
	await page.locator("#row-0").waitFor();
	await page.getByRole("button", { name: "Filter" }).click();
	await assertFits(page);
	await page.locator("#row-0").click({ button: "right" });
	await assertFits(page);
	await page.keyboard.press("Escape");
	await page.locator("#row-0").click();
	await page.getByRole("article").waitFor();
	await assertFits(page);
	await page.getByRole("tab", { name: "Permissions" }).click();
	await page.locator("#add-rule").click();
	await assertFits(page);
});

function withTurn(turn: Transcript["turns"][number]): FakeSessions {
	const sessions = new FakeSessions(manySessions(1));
	sessions.transcripts = sessions.transcripts.map(({ session }) => ({ session, turns: [turn] }));
	return sessions;
}

async function assertInert(page: Page): Promise<void> {
	assert.equal(await page.locator("#root img, #root script, #root iframe, #root a[href]").count(), 0);
	assert.notEqual(await page.title(), "taken");
}

/** No element reaches beyond the right edge, unless it is hidden there. */
async function assertFits(page: Page): Promise<void> {
	const wide = await page.evaluate(() =>
		[...document.querySelectorAll("#root *")]
			.filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
			.map((element) => element.outerHTML.slice(0, 120)),
	);
	assert.deepEqual(wide, []);
}
