import assert from "node:assert/strict";
import { test } from "node:test";
import {
	createFakePermissions,
	type FakePermissions,
	oneDecision,
	TWO_RULES,
} from "../support/fakePermissions.ts";
import { times } from "../support/times.ts";
import { createFakeMemory, oneFact } from "./fakeMemory.ts";
import { launchViews } from "./testPage.ts";

const browser = await launchViews();

test("a rule of a person tells what it would have changed, can be revoked and brought back; one of the settings cannot", async () => {
	const log = ["Run make", "Run npm"].map((title) => oneDecision({ effect: "deny" }, title));
	const permissions = createFakePermissions(TWO_RULES, log);
	const { page, asked } = await openPermissions(permissions);
	const ruleOn = (tool: string) => page.getByRole("listitem").filter({ hasText: tool }).first();
	const managed = ruleOn("delete_*");
	assert.equal(await managed.getByRole("button", { name: "Revoke" }).count(), 0);
	await managed.getByRole("button", { name: /Managed in Settings/ }).waitFor();
	await ruleOn("run_command")
		.getByRole("button", { name: /What would it have changed/ })
		.press("Enter");
	await page.getByText("2 calls would have been allowed.").waitFor();
	await page.getByRole("group", { name: "Preview" }).getByText("Run npm").waitFor();
	await page.getByRole("button", { name: "Revoke" }).press("Enter");
	await page.getByText("Revoked “allow, tool run_command”", { exact: true }).waitFor();
	assert.equal(permissions.made.length, 1);
	await page.locator("#undo").press("Enter");
	await page.getByRole("button", { name: "Revoke" }).waitFor();
	assert.equal(permissions.made[1]?.tool, "run_command");
	await page.locator("#add-rule").press("Enter");
	assert.deepEqual(await asked("makeRule"), { kind: "makeRule" });
});

test("the log is filtered by words and by effect, and grows on demand", async () => {
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

test("the arrows lead from tab to tab, and a fact is edited and forgotten with the keyboard", async () => {
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
});

async function openPermissions(permissions: FakePermissions) {
	const opened = await browser.open({ permissions });
	await opened.page.getByRole("tab", { name: "Permissions" }).click();
	await opened.page.getByRole("region", { name: "Rules" }).waitFor();
	return opened;
}
