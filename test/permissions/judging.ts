import type { TestContext } from "node:test";
import type {
	CallArgument,
	Effect,
	PermissionRequest,
	PermissionRule,
	RequestArgument,
} from "../../src/core/permission/permission.ts";
import { createPermissions } from "../../src/permissions/openPermissions.ts";
import { verdictOf } from "../../src/permissions/permissionRules.ts";
import { makeFolder } from "../support/folder.ts";

const PLACE = { scope: "always", origin: "person", createdAt: 0 } as const;

export const ALL: PermissionRule = { id: "all", effect: "allow", ...PLACE };

export function ruleFor(effect: Effect, kind: CallArgument["kind"], value: string): PermissionRule {
	return { id: `${effect} ${value}`, effect, ...PLACE, argument: { kind, value } };
}

export function ruleOf(effect: Effect, command: string): PermissionRule {
	return ruleFor(effect, "command", command);
}

/** A mutating call of the CLI's shell, unless the parts say otherwise. */
export function requestOf(parts: Partial<PermissionRequest> = {}): PermissionRequest {
	const place = { channel: "cli", tool: "shell", title: "", workspace: "" } as const;
	return { ...place, arguments: [], mutates: true, ...parts };
}

export function effectFor(request: PermissionRequest, ...rules: PermissionRule[]): Effect {
	return verdictOf(request, rules, { ignoreCase: false }).effect;
}

export function effectOn(args: readonly RequestArgument[], ...rules: PermissionRule[]): Effect {
	return effectFor(requestOf({ arguments: args }), ...rules);
}

export function effectOf(line: string, ...rules: PermissionRule[]): Effect {
	return effectOn([{ kind: "command", value: line }], ...rules);
}

export const DAY = 24 * 60 * 60 * 1000;

export const request = requestOf({
	title: "Run git push",
	arguments: [{ kind: "command", value: "git push" }],
	workspace: "file:///w",
});

export const managed: PermissionRule = {
	...ALL,
	...{ id: "settings:1", effect: "deny", tool: "delete_*", origin: "settings" },
};

export function permissionsIn(folder: string, managedRules: readonly PermissionRule[] = [], now = () => 0) {
	return createPermissions({ folder, managedRules: () => managedRules, now, ignoreCase: false });
}

export async function open(t: TestContext, managedRules: readonly PermissionRule[] = []) {
	const folder = await makeFolder(t);
	const clock = { time: 1000 };
	const reopen = () => permissionsIn(folder, managedRules, () => clock.time);
	return { folder, clock, reopen, permissions: reopen() };
}
