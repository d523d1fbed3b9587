import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Failure, isFailure, messageOf } from "../base/failure.ts";
import type {
	Decision,
	PermissionRule,
	Permissions,
	RuleUse,
	Verdict,
} from "../core/permission/permission.ts";
import { patternProblem } from "./argumentPattern.ts";
import { type AuditLog, createAuditLog } from "./auditLog.ts";
import { createJudge, verdictOf } from "./permissionRules.ts";
import { createRuleFile, type RuleFile } from "./ruleFile.ts";

type NewRule = Parameters<Permissions["add"]>[0];

export interface PermissionsOptions {
	/** Where the rules and the log are; absolute. Several processes may share it. */
	readonly folder: string;
	/** The rules of the settings as they are now. */
	managedRules(): readonly PermissionRule[];
	/** Milliseconds since 1970. */
	now(): number;
	/** Whether paths are the same in either case. */
	readonly ignoreCase: boolean;
}

interface Parts extends PermissionsOptions {
	readonly file: RuleFile;
	readonly log: AuditLog;
	/** All that is in force, those of the settings first. */
	inForce(): Promise<PermissionRule[]>;
}

/** Rules and decisions in files of a folder. Whatever fails there is a `Failure`, and then nothing is allowed. */
export function createPermissions(options: PermissionsOptions): Permissions {
	const file = createRuleFile(join(options.folder, "rules.jsonl"));
	const log = createAuditLog(options.folder);
	const inForce = async () => [...options.managedRules(), ...(await file.rules())];
	const parts: Parts = { ...options, file, log, inForce };
	const orFailure = <Arguments extends unknown[], Result>(run: (...args: Arguments) => Promise<Result>) => {
		return (...args: Arguments) => run(...args).catch((thrown) => rethrow(thrown, options.folder));
	};
	return {
		verdictFor: orFailure(async (request) => verdictOf(request, await inForce(), options)),
		record: orFailure((decision) => log.append({ at: options.now(), ...decision })),
		add: orFailure((rule) => addRule(parts, rule)),
		revoke: orFailure((id) => revokeRule(parts, id)),
		rules: orFailure(async () => {
			const used = await lastUses(log);
			return (await inForce()).map((rule): RuleUse => {
				const lastUsedAt = used.get(rule.id);
				return lastUsedAt === undefined ? { rule } : { rule, lastUsedAt };
			});
		}),
		decisions: orFailure(({ since = 0, limit, text = "" }) => {
			const words = text.trim().toLowerCase();
			const fits = (decision: Decision) => words === "" || textOf(decision).includes(words);
			return firstOf(log, { since, limit, fits });
		}),
		preview: orFailure((rule, since) => previewRule(parts, rule, since)),
	};
}

function rethrow(thrown: unknown, folder: string): never {
	if (isFailure(thrown)) throw thrown;
	const message = `The permissions in ${folder} cannot be read or written: ${messageOf(thrown)}. Nothing is allowed until they can.`;
	throw new Failure("PERMISSIONS_UNREADABLE", message, { cause: thrown });
}

async function addRule({ file, now }: Parts, rule: NewRule): Promise<PermissionRule> {
	requireSense(rule);
	const known = (await file.rules()).find(({ id: _, createdAt: __, origin: ___, ...same }) =>
		isDeepStrictEqual(same, { ...rule }),
	);
	if (known) return known;
	const added: PermissionRule = { ...rule, id: randomUUID(), origin: "person", createdAt: now() };
	await file.add(added);
	return added;
}

function requireSense({ scope, owner, argument }: NewRule): void {
	const problem =
		(scope === "once" && "A decision for one call is no rule: it is only written down.") ||
		(scope === "session" && !owner && "A rule for a session must say for which one.") ||
		(scope === "workspace" && !owner && "A rule for a workspace needs an open folder.") ||
		(argument && patternProblem(argument));
	if (problem) throw new Failure("BAD_INPUT", problem);
}

async function revokeRule({ managedRules, file, now }: Parts, id: string): Promise<void> {
	if (managedRules().some((rule) => rule.id === id)) {
		const message = "This rule comes from the settings. Change it there: copilot-ld.permissions.rules.";
		throw new Failure("BAD_INPUT", message);
	}
	if (!(await file.rules()).some((rule) => rule.id === id))
		throw new Failure("NOT_FOUND", "That rule is gone already; another window may have revoked it.");
	await file.revoke(id, now());
}

async function lastUses(log: AuditLog): Promise<Map<string, number>> {
	const used = new Map<string, number>();
	for await (const { rule, at } of log.newestFirst())
		if (rule !== undefined) used.set(rule, Math.max(at, used.get(rule) ?? 0));
	return used;
}

/** The newest decisions that fit. Files follow each other in time, to the clocks of the processes that wrote them. */
async function firstOf(
	log: AuditLog,
	{ since, limit, fits }: { since: number; limit: number; fits: (decision: Decision) => boolean },
): Promise<Decision[]> {
	const found: Decision[] = [];
	for await (const decision of log.newestFirst()) {
		if (decision.at < since || found.length >= limit) break;
		if (fits(decision)) found.push(decision);
	}
	return found;
}

function textOf({ request, effect, by }: Decision): string {
	const args = request.arguments.map(({ value }) => value);
	return [request.tool, request.title, request.door, effect, by, ...args].join("\n").toLowerCase();
}

async function previewRule({ inForce, log, ignoreCase, now }: Parts, rule: NewRule, since: number) {
	requireSense(rule);
	const candidate: PermissionRule = { ...rule, id: randomUUID(), origin: "person", createdAt: now() };
	const rules = [...(await inForce()), candidate];
	const judge = createJudge(rules, { ignoreCase });
	const fits = (decision: Decision) => {
		const verdict = judge(decision.request);
		return verdict.rule === candidate && isOtherwise(verdict, decision);
	};
	return firstOf(log, { since, limit: Number.POSITIVE_INFINITY, fits });
}

/** Whether a call would have ended otherwise, or the same without a question. */
function isOtherwise({ effect }: Verdict, decision: Decision): boolean {
	const wasAsked = decision.by === "person" || decision.by === "host";
	return effect === "ask" ? !wasAsked : wasAsked || effect !== decision.effect;
}
