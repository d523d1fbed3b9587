import type { PermissionRule } from "../core/permission/permission.ts";
import { createJsonLines } from "./jsonLines.ts";
import { isRecord, isRule } from "./shapes.ts";

/** What a person decided: rules that were added and revoked, also by other windows. */
export interface RuleFile {
	add(rule: PermissionRule): Promise<void>;
	revoke(id: string, at: number): Promise<void>;
	/** Those in force, oldest first. */
	rules(): Promise<readonly PermissionRule[]>;
}

export function createRuleFile(path: string): RuleFile {
	const lines = createJsonLines(path);
	return {
		add: (rule) => lines.append({ kind: "added", rule }),
		revoke: (id, at) => lines.append({ kind: "revoked", id, at }),
		rules: async () => {
			const rules = new Map<string, PermissionRule>();
			for (const line of (await lines.read()).filter(isRecord)) {
				const { kind, rule, id } = line;
				// Whatever the line says of its origin: the settings are not kept here.
				if (kind === "added" && isRule(rule)) rules.set(rule.id, { ...rule, origin: "person" });
				if (kind === "revoked" && typeof id === "string") rules.delete(id);
			}
			return [...rules.values()];
		},
	};
}
