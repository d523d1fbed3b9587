import { Failure } from "../../src/base/failure.ts";
import type { Decision, PermissionRule, Permissions } from "../../src/core/permission/permission.ts";
import { verdictOf } from "../../src/permissions/permissionRules.ts";

export interface FakePermissions extends Permissions {
	readonly made: PermissionRule[];
	readonly log: Decision[];
}

/** Permissions in memory with these rules and a log of these decisions. */
export function createFakePermissions(
	rules: readonly Partial<PermissionRule>[] = [],
	decisions: readonly Decision[] = [],
): FakePermissions {
	const made = rules.map((rule, at) => oneRule(`given-${at}`, rule));
	const log = [...decisions];
	return {
		made,
		log,
		verdictFor: async (request) => verdictOf(request, made, { ignoreCase: false }),
		record: async (decision) => void log.push({ at: Date.now(), ...decision }),
		add: async (rule) => {
			const whole = oneRule(`made-${made.length}`, rule);
			made.push(whole);
			return whole;
		},
		revoke: async (id) => {
			if (made.some((rule) => rule.id === id && rule.origin === "settings"))
				throw new Failure("BAD_INPUT", "This rule is managed in the settings.");
			made.splice(0, made.length, ...made.filter((rule) => rule.id !== id));
		},
		rules: async () =>
			made.map((rule) => {
				const lastUsedAt = log.findLast((decision) => decision.rule === rule.id)?.at;
				return { rule, ...(lastUsedAt !== undefined && { lastUsedAt }) };
			}),
		decisions: async ({ limit, text = "" }) =>
			log.filter(({ request }) => request.title.includes(text)).slice(0, limit),
		preview: async ({ effect, tool }) =>
			log.filter((decision) => decision.request.tool === tool && decision.effect !== effect),
	};
}

const HOUR_AGO = Date.now() - 3_600_000;

export function oneRule(id: string, part: Partial<PermissionRule>): PermissionRule {
	return { id, effect: "allow", scope: "always", origin: "person", createdAt: HOUR_AGO, ...part };
}

export const TWO_RULES = [
	oneRule("managed", { effect: "deny", tool: "delete_*", origin: "settings" }),
	oneRule("own", { tool: "run_command" }),
];

export function oneDecision(part: Partial<Decision>, title = "Run git status"): Decision {
	const argument = { kind: "command", value: "git status --short" } as const;
	const workspace = "file:///home/ada/isles";
	return {
		...{ at: HOUR_AGO, effect: "allow", by: "rule" },
		request: { channel: "cli", tool: "run_command", title, arguments: [argument], workspace, mutates: true },
		...part,
	};
}
