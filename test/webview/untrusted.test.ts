import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { Transcript } from "../../src/core/session/session.ts";
import { createFakePermissions, oneDecision, oneRule } from "../support/fakePermissions.ts";
import { FakeMemory, oneFact } from "./fakeMemory.ts";
import { FakeSessions, manySessions, oneTurn } from "./fakeSessions.ts";
import { launchViews } from "./testPage.ts";

const EVIL = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
const browser = await launchViews();

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

test("a citation is its file's, whatever its name is and whatever follows it, and one in code is text", async () => {
	const answer =
		"One [x%5D %5Bsrc/*a*&amp;.md:3](https://evil.example) and [b.md:1], `[code.html:1-2]`.\n\n[b.md:1]: https://evil.example";
	const { page, asked } = await browser.open({ sessions: withTurn(oneTurn(0, { answer })) });
	await page.locator("#row-0").click();
	await page.getByRole("link", { name: "*a*&amp;.md:3" }).click();
	const cited = { path: "x] [src/*a*&amp;.md", lines: { start: 3, end: 3 } };
	assert.deepEqual((await asked("openCitation")).citation, cited);
	assert.equal(await page.locator(".markdown .citation").count(), 3);
	await page.getByText("[code.html:1-2]").waitFor();
	assert.equal(await page.locator(".markdown .link").count(), 0);
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
	await page.locator("#row-0").click();
	await page.getByRole("article").waitFor();
	await assertFits(page);
	await page.getByRole("tab", { name: "Permissions" }).click();
	await page.locator("#add-rule").waitFor();
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
