import { Failure } from "../../src/base/failure.ts";
import type {
	Decision,
	NewRule,
	PermissionRule,
	Permissions,
	RuleUse,
	Verdict,
} from "../../src/core/permission/permission.ts";

export class FakePermissions implements Permissions {
	known: RuleUse[];
	readonly log: readonly Decision[];

	constructor(rules: readonly RuleUse[], log: readonly Decision[]) {
		this.known = [...rules];
		this.log = log;
	}

	async verdictFor(): Promise<Verdict> {
		return { effect: "ask" };
	}

	async record(): Promise<void> {
		throw new Failure("BAD_INPUT", "Nothing is recorded here.");
	}

	async add(rule: NewRule): Promise<PermissionRule> {
		const added = oneRule(`added${this.known.length}`, rule);
		this.known = [...this.known, { rule: added }];
		return added;
	}

	async revoke(id: string): Promise<void> {
		if (this.known.some(({ rule }) => rule.id === id && rule.origin === "settings"))
			throw new Failure("BAD_INPUT", "This rule is managed in the settings.");
		this.known = this.known.filter(({ rule }) => rule.id !== id);
	}

	async rules(): Promise<readonly RuleUse[]> {
		return this.known;
	}

	async decisions({ limit, text = "" }: { limit: number; text?: string }): Promise<readonly Decision[]> {
		return this.log.filter(({ request }) => request.title.includes(text)).slice(0, limit);
	}

	async preview({ effect, tool }: NewRule): Promise<readonly Decision[]> {
		return this.log.filter((decision) => decision.request.tool === tool && decision.effect !== effect);
	}
}

export function oneRule(id: string, part: Partial<PermissionRule>): PermissionRule {
	const createdAt = Date.now() - 3_600_000;
	return { id, effect: "allow", scope: "always", origin: "person", createdAt, ...part };
}

export const TWO_RULES = [
	{ rule: oneRule("managed", { effect: "deny", tool: "delete_*", origin: "settings" }) },
	{ rule: oneRule("own", { tool: "run_command" }) },
];

export function oneDecision(part: Partial<Decision>, title = "Run git status"): Decision {
	const argument = { kind: "command", value: "git status --short" } as const;
	const workspace = "file:///home/ada/isles";
	return {
		...{ at: Date.now() - 3_600_000, effect: "allow", by: "rule" },
		request: { door: "cli", tool: "run_command", title, arguments: [argument], workspace, mutates: true },
		...part,
	};
}
