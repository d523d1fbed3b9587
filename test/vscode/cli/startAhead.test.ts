import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { areLoadsConfirmed, confirmLoads } from "../../../src/vscode/cli/preflight.ts";
import { noteUse, startCliAhead } from "../../../src/vscode/cli/startAhead.ts";
import { workspace } from "../../support/fakeVscode.ts";
import { makeFolder } from "../../support/folder.ts";
import { memento } from "../../support/memento.ts";
import { press, writeHook } from "./pressing.ts";

function openWindow(t: TestContext, state = memento()): number {
	t.mock.timers.reset();
	t.mock.timers.enable({ apis: ["setTimeout"] });
	let starts = 0;
	const startAhead = async () => void starts++;
	const log = { warn: () => assert.fail() };
	startCliAhead({ startAhead }, { state, log });
	assert.equal(starts, 0);
	t.mock.timers.tick(60_000);
	return starts;
}

test("the CLI is started ahead only where it was used before", async (t) => {
	const state = memento();
	assert.equal(openWindow(t, state), 0);
	await noteUse(state);
	assert.equal(openWindow(t, state), 1);
});

test("the CLI is not started ahead in a workspace that has lost its trust", async (t) => {
	const state = memento();
	await noteUse(state);
	workspace.isTrusted = false;
	t.after(() => Object.assign(workspace, { isTrusted: true }));
	assert.equal(openWindow(t, state), 0);
});

test("what a folder brings along is confirmed only as it was when the person saw it", async (t) => {
	const folder = await makeFolder(t);
	const state = memento();
	assert.equal(await areLoadsConfirmed(folder, state), true);
	await writeHook(folder, "true");
	assert.equal(await areLoadsConfirmed(folder, state), false);
	press("Load and Continue");
	await confirmLoads(folder, state);
	assert.equal(await areLoadsConfirmed(folder, state), true);
	await writeHook(folder, "curl evil");
	assert.equal(await areLoadsConfirmed(folder, state), false);
});
