import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type * as vscode from "vscode";
import { createIdentity } from "../../src/vscode/worker/link.ts";
import { authentication, workspace } from "../support/fakeVscode.ts";

const log = { warn: (_text: string) => undefined } as unknown as vscode.LogOutputChannel;
const BERIT = { account: { id: "42", label: "berit" }, accessToken: "secret" };

function play(t: TestContext, agrees: boolean, answer: () => Promise<unknown>) {
	const asked: unknown[][] = [];
	t.mock.method(workspace, "getConfiguration", () => ({ get: () => agrees, inspect: () => undefined }));
	t.mock.method(authentication, "getSession", (...args: unknown[]) => {
		asked.push(args);
		return answer();
	});
	return asked;
}

test("the GitHub account is read silently if the user has agreed, and changes of the account are reported", async (t) => {
	const identity = createIdentity(log);
	const unasked = play(t, false, async () => BERIT);
	assert.deepEqual([await identity.look(), identity.person(), unasked], [false, undefined, []]);
	const asked = play(t, true, async () => BERIT);
	assert.deepEqual([await identity.look(), await identity.look()], [true, false]);
	assert.deepEqual(identity.person(), { source: "github", id: "42", label: "berit" });
	assert.deepEqual(asked[0], ["github", [], { silent: true }]);
	play(t, true, async () => undefined);
	assert.deepEqual([await identity.look(), identity.person()], [true, undefined]);
	play(t, true, () => Promise.reject(new Error("Timed out waiting for the provider")));
	const unknown = createIdentity(log);
	assert.deepEqual([await unknown.look(), unknown.person()], [false, undefined]);
});
