import { readFile, rm } from "node:fs/promises";
import { Failure } from "../base/failure.ts";
import type { PermissionRule } from "../core/permission/permission.ts";
import { readWrittenRule } from "./managedRules.ts";
import { createSealedLines, type SealedLine } from "./records/sealedLines.ts";
import { type RuleLine, ruleLine } from "./records/shapes.ts";

export type RuleFile = ReturnType<typeof createRuleFile>;

export const RULE_FILE = "rules.jsonl";

interface Kept {
	readonly rule: PermissionRule;
	readonly isSealed: boolean;
}

/** Beginning of a line that may be dropped if it is torn: a revocation or an allow rule. */
const ALLOWS_LESS = /^\{"kind":(?:"revoked"|"(?:added|kept)","rule":\{"effect":"allow")/;

export function createRuleFile(path: string) {
	const parse = (value: unknown) => ruleLine.safeParse(value).data ?? writtenLine(value);
	const lines = createSealedLines(path, parse, (cut) => ALLOWS_LESS.test(cut));
	const kept = async () => {
		const rules = new Map<string, Kept>();
		for (const line of await lines.read()) {
			if (!line.value) throw await damageOf(path, line);
			apply(rules, line.value, line.isSealed);
		}
		return [...rules.values()];
	};
	/** Also writes the unsealed rules of older versions again, to add checksums. */
	const append = async (line: RuleLine) => {
		const unsealed = (await kept()).filter(({ isSealed }) => !isSealed);
		await lines.append([...unsealed.map(({ rule }) => ({ kind: "kept", rule }) as const), line]);
	};
	return {
		add: (rule: PermissionRule) => append({ kind: "added", rule }),
		revoke: (id: string, at: number) => append({ kind: "revoked", id, at }),
		/** Deletes the file, so that this works even if a line is damaged. */
		clear: () => rm(path, { force: true }),
		/** Returns the rules, oldest first. Rejects with a `Failure` if a line is damaged, which may be a deny rule. */
		rules: async (): Promise<readonly PermissionRule[]> => (await kept()).map(({ rule }) => rule),
	};
}

function apply(rules: Map<string, Kept>, line: RuleLine, isSealed: boolean): void {
	if (line.kind === "revoked") rules.delete(line.id);
	// Another window may have revoked the kept rule.
	else if (line.kind === "added" || rules.has(line.rule.id))
		// The origin in the line is ignored, because rules of the settings are not stored here.
		rules.set(line.rule.id, { rule: { ...line.rule, origin: "person" }, isSealed });
}

function writtenLine(value: unknown): RuleLine | undefined {
	const rule = readWrittenRule(value);
	if (typeof rule === "string") return undefined;
	return { kind: "added", rule: { ...rule, id: rule.id.replace(/^settings/, "written") } };
}

async function damageOf(path: string, { start, text }: SealedLine<RuleLine>): Promise<Failure> {
	const number = (await readFile(path)).subarray(0, start).toString("latin1").split("\n").length;
	const message = `Line ${number} of the permission rules in ${path} is damaged: “${text.slice(0, 120)}”. It may have been a rule that denies, so nothing is allowed. Remove the line in an editor, then run “Copilot-LD: Show Permissions” and add the rule again if it is missing.`;
	return new Failure("PERMISSIONS_UNREADABLE", message);
}
