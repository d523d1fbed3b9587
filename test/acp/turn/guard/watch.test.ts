import assert from "node:assert/strict";
import { test } from "node:test";
import { wantedPermission } from "../../../../src/acp/turn/guard/watch.ts";
import type { CallState } from "../../../../src/acp/updates/toolCalls.ts";

const call = (fields: Partial<CallState>): CallState => ({
	call: { id: "c", name: "shell", input: {} },
	title: "Call",
	kind: "execute",
	text: "",
	diffs: [],
	status: "ok",
	...fields,
});
const shell = (command: string) => call({ call: { id: "c", name: "shell", input: { command } } });
const edit = (path: string) => call({ kind: "edit", diffs: [{ path, oldText: "", newText: "x" }] });

for (const [what, state, wanted] of [
	["a command that only looks", shell("git log --oneline"), false],
	["a log that is written into a file", shell("git log --output=a.txt"), true],
	["a difference that another program makes", shell("git diff --ext-diff"), true],
	["a clock that is set", shell("date -s 2020-01-01"), true],
	["a listing with options that only look", shell("ls -la src"), false],
	["a command that looks, and then more", shell("git log; rm x"), true],
	["a command that writes what it sees", shell("cat a > b"), true],
	["a command of another program", shell("make"), true],
	["a change of a file", edit("/projects/a.txt"), true],
	["a plan in the session's own folder", edit("/home/session-state/s/plan.md"), false],
	["a change in a folder whose name only begins so", edit("/home/session-state/s-other/x"), true],
	["a change out of the session's own folder by a detour", edit("/home/session-state/s/../../x"), true],
	["a call that failed", call({ ...shell("make"), status: "failed" }), false],
	["a file that is deleted", call({ kind: "delete" }), true],
	["a search", call({ kind: "search" }), false],
] as const)
	test(`${what} ${wanted ? "wants a permission" : "needs none"}`, () => {
		assert.equal(wantedPermission(state, "/home/session-state/s"), wanted);
	});
