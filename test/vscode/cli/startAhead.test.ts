import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { areLoadsConfirmed, confirmLoads } from "../../../src/vscode/cli/preflight.ts";
import { noteUse, startCliAhead } from "../../../src/vscode/cli/startAhead.ts";
import { makeFolder } from "../../acp/realCli.ts";
import { window, workspace } from "../../support/fakeVscode.ts";
import { memento } from "../../support/memento.ts";

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
	t.after(() => {
		workspace.isTrusted = true;
	});
	assert.equal(openWindow(t, state), 0);
});

test("what a folder brings along is confirmed only as it was when the person saw it", async (t) => {
	const folder = await makeFolder(t);
	const state = memento();
	assert.equal(await areLoadsConfirmed(folder, state), true);
	await mkdir(join(folder, ".github/hooks"), { recursive: true });
	const writeHook = (bash: string) =>
		writeFile(
			join(folder, ".github/hooks/a.json"),
			JSON.stringify({ version: 1, hooks: { sessionStart: [{ type: "command", bash }] } }),
		);
	await writeHook("true");
	assert.equal(await areLoadsConfirmed(folder, state), false);
	window.showWarningMessage = async () => "Load and Continue";
	await confirmLoads(folder, state);
	assert.equal(await areLoadsConfirmed(folder, state), true);
	await writeHook("curl evil");
	assert.equal(await areLoadsConfirmed(folder, state), false);
});
