import type { PermissionRule } from "./permission.ts";

/** A rule in a few words, for people and models. */
export function describeRule({ effect, tool, door, argument, scope }: PermissionRule): string {
	const parts = [
		tool && `tool ${tool}`,
		door && `channel ${door}`,
		argument && `${argument.kind} “${argument.value}”`,
		scope !== "always" && `in this ${scope}`,
	].filter(Boolean);
	return [effect, ...(parts.length > 0 ? parts : ["everything"])].join(", ");
}
