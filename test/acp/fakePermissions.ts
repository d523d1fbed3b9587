import type {
	Decision,
	PermissionRequest,
	PermissionRule,
	Permissions,
} from "../../src/core/permission/permission.ts";

/** Rules in memory; a rule meets what it names exactly. */
export function createFakePermissions(
	rules: Pick<PermissionRule, "effect" | "tool">[] = [],
): Permissions & { readonly made: PermissionRule[]; readonly log: Decision[] } {
	const made: PermissionRule[] = rules.map((rule, index) => ({
		id: `given-${index}`,
		scope: "always",
		origin: "person",
		createdAt: 0,
		...rule,
	}));
	const log: Decision[] = [];
	return {
		made,
		log,
		verdictFor: async (request) => {
			const rule = made.find((candidate) => meets(candidate, request));
			if (!rule) return { effect: request.mutates ? "ask" : "allow" };
			return { effect: rule.effect, rule };
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

function meets({ tool, argument, owner, scope }: PermissionRule, request: PermissionRequest): boolean {
	if (tool !== undefined && tool !== request.tool) return false;
	if (scope === "session" && owner !== request.session) return false;
	return !argument || request.arguments.some(({ value }) => value.startsWith(argument.value));
}
