import { DOORS } from "../core/permission/door.ts";
import type { CallArgument, Decision, PermissionRule } from "../core/permission/permission.ts";

export const EFFECTS = ["allow", "ask", "deny"] as const;
const SCOPES = ["session", "workspace", "always"];
export const ARGUMENT_KINDS = ["command", "path", "host"] as const;

/** Lines of a file are whatever a disk, another version or a person made of them. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isRule(value: unknown): value is PermissionRule {
	if (!isRecord(value) || typeof value["id"] !== "string" || typeof value["createdAt"] !== "number")
		return false;
	const { effect, scope, owner, door, tool, argument } = value;
	return (
		isOneOf(EFFECTS, effect) &&
		isOneOf(SCOPES, scope) &&
		isTextOrAbsent(owner) &&
		(door === undefined || isOneOf(DOORS, door)) &&
		isTextOrAbsent(tool) &&
		(argument === undefined || isArgument(argument))
	);
}

export function isDecision(value: unknown): value is Decision {
	if (!isRecord(value) || typeof value["at"] !== "number" || !isRecord(value["request"])) return false;
	const { door, tool, title, workspace, mutates, arguments: args } = value["request"];
	return (
		isOneOf(["allow", "deny"], value["effect"]) &&
		isOneOf(["rule", "person", "host", "default"], value["by"]) &&
		isOneOf(DOORS, door) &&
		[tool, title, workspace].every((text) => typeof text === "string") &&
		typeof mutates === "boolean" &&
		Array.isArray(args) &&
		args.every(isArgument)
	);
}

function isArgument(value: unknown): value is CallArgument {
	return isRecord(value) && isOneOf(ARGUMENT_KINDS, value["kind"]) && typeof value["value"] === "string";
}

function isTextOrAbsent(value: unknown): boolean {
	return value === undefined || typeof value === "string";
}

function isOneOf(names: readonly string[], value: unknown): boolean {
	return typeof value === "string" && names.includes(value);
}
