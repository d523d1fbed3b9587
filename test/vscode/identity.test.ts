import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type * as vscode from "vscode";
import { createIdentity } from "../../src/vscode/identity.ts";
import { authentication, workspace } from "../support/fakeVscode.ts";

const { getConfiguration } = workspace;
const { getSession } = authentication;
const log = { warn: (_text: string) => undefined } as unknown as vscode.LogOutputChannel;
afterEach(() => Object.assign(workspace, { getConfiguration }));
afterEach(() => Object.assign(authentication, { getSession }));

function play(agrees: boolean, answer: () => Promise<unknown>) {
	const asked: unknown[][] = [];
	Object.assign(workspace, { getConfiguration: () => ({ get: () => agrees, inspect: () => undefined }) });
	Object.assign(authentication, {
		getSession: (...args: unknown[]) => {
			asked.push(args);
			return answer();
		},
	});
	return asked;
}

test("nobody asks for the GitHub account before the person has agreed", async () => {
	const asked = play(false, async () => ({ account: { id: "42", label: "berit" } }));
	const identity = createIdentity(log);
	assert.equal(await identity.look(), false);
	assert.equal(identity.person(), undefined);
	assert.deepEqual(asked, []);
});

test("the account is looked for without a question, and a change of it is told", async () => {
	const asked = play(true, async () => ({ account: { id: "42", label: "berit" }, accessToken: "secret" }));
	const identity = createIdentity(log);
	assert.equal(await identity.look(), true);
	assert.equal(await identity.look(), false);
	assert.deepEqual(identity.person(), { source: "github", id: "42", label: "berit" });
	assert.deepEqual(asked[0], ["github", [], { silent: true }]);
	play(true, async () => undefined);
	assert.equal(await identity.look(), true);
	assert.equal(identity.person(), undefined);
});

test("where VS Code cannot tell the account, the system's user must do", async () => {
	play(true, () => Promise.reject(new Error("Timed out waiting for the provider")));
	const identity = createIdentity(log);
	assert.equal(await identity.look(), false);
	assert.equal(identity.person(), undefined);
});
