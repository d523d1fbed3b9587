import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { PermissionRule } from "../../../src/core/permission/permission.ts";
import { areLoadsConfirmed, confirmLoads } from "../../../src/vscode/cli/program.ts";
import { noteUse, startCliAhead } from "../../../src/vscode/cli/startAhead.ts";
import { createFakePermissions } from "../../support/fakePermissions.ts";
import { window, workspace } from "../../support/fakeVscode.ts";
import { makeFolder } from "../../support/folder.ts";
import { memento } from "../../support/memento.ts";
import { press, writeHook } from "./pressing.ts";

// Keeps the developer's own CLI settings out of these tests.
process.env["COPILOT_HOME"] = "/nowhere";

const RULE = { id: "1", effect: "allow", scope: "always", origin: "person", createdAt: 0 } as const;

test("the user is asked once about the files that a folder loads, and again after they change", async (t) => {
	const folder = await makeFolder(t);
	const state = memento();
	const shown = press("Load and Continue");
	const confirm = async () => {
		const before = await areLoadsConfirmed(folder, state);
		await confirmLoads(folder, state);
		return [before, await areLoadsConfirmed(folder, state), shown.length];
	};
	assert.deepEqual(await confirm(), [true, true, 0]);
	await writeHook(folder, "true");
	assert.deepEqual(
		[await confirm(), await confirm()],
		[
			[false, true, 1],
			[true, true, 1],
		],
	);
	assert.deepEqual(shown, ["Hook .github/hooks/a.json: sessionStart runs true"]);
	await writeHook(folder, "false");
	assert.deepEqual(await confirm(), [false, true, 2]);
});

test("a refused or untrusted folder starts nothing, and the user is asked again next time", async (t) => {
	const folder = await makeFolder(t);
	const state = memento();
	await writeHook(folder, "true");
	press(undefined);
	await assert.rejects(confirmLoads(folder, state), { code: "UNTRUSTED" });
	const shown = press("Load and Continue");
	distrust(t);
	await assert.rejects(confirmLoads(folder, state), { code: "UNTRUSTED" });
	assert.deepEqual(shown, []);
	workspace.isTrusted = true;
	await confirmLoads(folder, state);
	assert.equal(shown.length, 1);
});

test("only the user's own rule for starting the CLI replaces the question; any rule can deny it", async (t) => {
	const folder = await makeFolder(t);
	await writeHook(folder, "true");
	const shown = press("Load and Continue");
	const confirm = async (...rules: Partial<PermissionRule>[]) => {
		const permissions = createFakePermissions();
		for (const rule of rules) permissions.made.push({ ...RULE, ...rule });
		await confirmLoads(folder, memento(), { permissions, workspace: "file:///w" });
		return permissions.log.map(({ effect, request }) => `${effect} ${request.tool}`);
	};
	const ofFolder = { tool: "start_cli", origin: "settings", scope: "workspace", owner: "file:///w" } as const;
	assert.deepEqual(await confirm({ tool: "start_cli" }), ["allow start_cli"]);
	assert.equal(shown.length, 0);
	await confirm({});
	await confirm({ door: "cli" });
	await confirm(ofFolder);
	assert.equal(shown.length, 3, "the person is asked");
	await assert.rejects(confirm({ effect: "deny", door: "cli" }), { code: "UNTRUSTED" });
	await assert.rejects(confirm({ ...ofFolder, effect: "deny" }), { code: "UNTRUSTED" });
	assert.equal(shown.length, 3);
});

function distrust(t: TestContext): void {
	workspace.isTrusted = false;
	t.after(() => Object.assign(workspace, { isTrusted: true }));
}

test("a long dialog is shortened, and offers to show everything before the answer", async (t) => {
	const folder = await makeFolder(t);
	await writeHook(folder, `echo ${"x".repeat(2000)}`);
	const text = JSON.stringify({ hooks: { x: [{ bash: "y" }] } });
	for (let n = 0; n < 40; n++) await writeFile(join(folder, ".github/hooks", `b${n}.json`), text);
	const asked: unknown[][] = [];
	window.showWarningMessage = async (...args) => {
		asked.push(args);
		return asked.length === 1 ? "Show All" : "Load and Continue";
	};
	let whole = "";
	workspace.openTextDocument = async (what) => {
		if ("content" in what) whole = what.content;
		return {};
	};
	await confirmLoads(folder, memento());
	const detail = String(Object.values(asked[0]?.[1] ?? {}).at(-1));
	assert.ok(detail.length < 12_000);
	assert.match(detail, /more characters: Show All[\s\S]*… and \d+ more: Show All$/);
	assert.equal(whole.split("\n\n").length, 41);
	assert.deepEqual(asked[1]?.slice(1), ["Load and Continue"]);
});

function startsIn(t: TestContext, state: ReturnType<typeof memento>): number {
	t.mock.timers.reset();
	t.mock.timers.enable({ apis: ["setTimeout"] });
	let starts = 0;
	startCliAhead({ startAhead: async () => void starts++ }, { state, log: { warn: () => assert.fail() } });
	assert.equal(starts, 0);
	t.mock.timers.tick(60_000);
	return starts;
}

test("the CLI is started ahead only in trusted workspaces where it was used before", async (t) => {
	const state = memento();
	assert.equal(startsIn(t, state), 0);
	await noteUse(state);
	assert.equal(startsIn(t, state), 1);
	distrust(t);
	assert.equal(startsIn(t, state), 0);
});
