import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_FORM, type RuleForm } from "../../webview/model/state.ts";
import { draftOf, problemsOf } from "../../webview/permissions/permissionActions.ts";

const CASES: readonly { readonly fields: Partial<RuleForm>; readonly wrong: readonly string[] }[] = [
	{ fields: {}, wrong: ["tool"] },
	{ fields: { effect: "deny" }, wrong: [] },
	{ fields: { tool: "run_command" }, wrong: [] },
	{ fields: { tool: "run command" }, wrong: ["tool"] },
	{ fields: { tool: "search_*" }, wrong: [] },
	{ fields: { argumentKind: "command", argument: " " }, wrong: ["argument"] },
	{ fields: { argumentKind: "command", argument: "git status" }, wrong: [] },
	{ fields: { argumentKind: "path", argument: "C:\\notes" }, wrong: ["argument"] },
	{ fields: { argumentKind: "path", argument: "../notes/**" }, wrong: ["argument"] },
	{ fields: { argumentKind: "path", argument: "notes/**/*.md" }, wrong: [] },
	{ fields: { argumentKind: "path", argument: "C:/notes/**" }, wrong: [] },
	{ fields: { argumentKind: "host", argument: "https://example.org/a" }, wrong: ["argument"] },
	{ fields: { argumentKind: "host", argument: "*.example.org:8080" }, wrong: [] },
];

for (const { fields, wrong } of CASES)
	test(`${JSON.stringify(fields)} is ${wrong.length > 0 ? `wrong in ${wrong}` : "sound"}`, () => {
		assert.deepEqual(Object.keys(problemsOf({ ...EMPTY_FORM, ...fields })), wrong);
	});

test("fields that are left empty are not named in the rule", () => {
	const draft = draftOf({ ...EMPTY_FORM, tool: " run_command " });
	assert.deepEqual(draft, { effect: "allow", scope: "always", tool: "run_command" });
});
