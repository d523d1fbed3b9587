import type { Decision, PermissionRule, Permissions } from "../../src/core/permission/permission.ts";
import { verdictOf } from "../../src/permissions/permissionRules.ts";

export function createFakePermissions(
	rules: Pick<PermissionRule, "effect" | "tool">[] = [],
): Permissions & { readonly made: PermissionRule[]; readonly log: Decision[] } {
	const given = { scope: "always", origin: "person", createdAt: 0 } as const;
	const made: PermissionRule[] = rules.map((rule, at) => ({ id: `given-${at}`, ...given, ...rule }));
	const log: Decision[] = [];
	return {
		made,
		log,
		verdictFor: async (request) => {
			return verdictOf(request, made, { ignoreCase: false });
		},
		record: async (decision) => void log.push({ at: Date.now(), ...decision }),
		add: async (rule) => {
			const whole: PermissionRule = { ...rule, id: `made-${made.length}`, origin: "person", createdAt: 0 };
			made.push(whole);
			return whole;
		},
		revoke: async (id) => {
			made.splice(0, made.length, ...made.filter((rule) => rule.id !== id));
		},
		rules: async () => made.map((rule) => ({ rule })),
		decisions: async () => log,
		preview: async () => [],
	};
}
