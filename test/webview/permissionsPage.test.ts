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
import { FakeMemory, oneFact } from "./fakeMemory.ts";
import { launchViews } from "./testPage.ts";

const browser = await launchViews();

test("a rule of a person can be revoked and brought back; one of the settings cannot be revoked", async () => {
	const permissions = createFakePermissions(TWO_RULES, []);
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

test("another rule is asked for by the host", async () => {
	const { page, asked } = await openPermissions(createFakePermissions([], []));
	await page.locator("#add-rule").press("Enter");
	assert.deepEqual(await asked("makeRule"), { kind: "makeRule" });
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
	await page.getByRole("button", { name: "Show More" }).press("Enter");
	await lines.nth(199).waitFor();
	await page.getByRole("combobox", { name: "Decision" }).selectOption("Denied");
	await lines.nth(40).waitFor({ state: "detached" });
	assert.equal(await lines.count(), 40);
	await page.locator("#audit-search").fill("step 24");
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

test("a fact is edited and forgotten with the keyboard, and forgetting can be undone", async () => {
	const memory = new FakeMemory([oneFact("f1", { text: "The lamp is lit at six" })]);
	const { page, asked } = await browser.open({ memory });
	await page.getByRole("tab", { name: "Memory" }).click();
	await page.getByRole("button", { name: "Edit" }).press("Enter");
	assert.deepEqual(await asked("editFact"), { kind: "editFact", fact: "f1", text: "The lamp is lit at six" });
	await page.getByRole("button", { name: "Forget" }).press("Enter");
	await page.getByText("Nothing is remembered yet").waitFor();
	assert.equal(memory.known.length, 0);
	await page.keyboard.press("ControlOrMeta+Z");
	await page.getByRole("listitem").getByText("The lamp is lit at six").waitFor();
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
