import type { TestContext } from "node:test";
import type { PermissionRule } from "../../src/core/permission/permission.ts";
import { createPermissions } from "../../src/permissions/openPermissions.ts";
import { makeFolder } from "../support/folder.ts";
import { ALL, requestOf } from "./judging.ts";

export const DAY = 24 * 60 * 60 * 1000;

export const request = requestOf({
	title: "Run git push",
	arguments: [{ kind: "command", value: "git push" }],
	workspace: "file:///w",
});

export const managed: PermissionRule = {
	...{ ...ALL, id: "settings:1", effect: "deny", tool: "delete_*", origin: "settings" },
};

export async function open(t: TestContext, managedRules: readonly PermissionRule[] = []) {
	const folder = await makeFolder(t);
	const clock = { time: 1000 };
	const reopen = () =>
		createPermissions({ folder, managedRules: () => managedRules, now: () => clock.time, ignoreCase: false });
	return { folder, clock, reopen, permissions: reopen() };
}
