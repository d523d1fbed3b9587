import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Failure, isFailure, messageOf } from "../base/failure.ts";
import { isMissing, replaceFile, sizeOf } from "../base/files/file.ts";
import { isRecord } from "../base/values.ts";
import type {
	Decided,
	Decision,
	NewRule,
	PermissionRule,
	Permissions,
	RuleUse,
} from "../core/permission/permission.ts";
import type { PermissionData } from "../core/storedData.ts";
import { patternProblem } from "./arguments/argumentPattern.ts";
import { folderPath } from "./arguments/pattern.ts";
import { onDisk, placesOnDisk, rulesOnDisk } from "./arguments/realPaths.ts";
import { managedRulesOf, type PermissionSettings, readWrittenRule } from "./managedRules.ts";
import { createJudge, verdictOf } from "./permissionRules.ts";
import { type AuditLog, createAuditLog, type DamagedLine } from "./records/auditLog.ts";
import { CONSENT_FILE, createPluginConsents } from "./records/pluginConsents.ts";
import { createRuleFile, RULE_FILE, type RuleFile } from "./ruleFile.ts";

interface WindowOptions {
	/** Absolute path of a folder that all windows and programs share. */
	readonly folder: string;
	readSettings(): PermissionSettings;
	warn(problem: string): void;
}

interface PermissionsOptions {
	readonly folder: string;
	managedRules(): readonly PermissionRule[];
	/** Managed rules that still allow calls if the rules in the folder are damaged. */
	readonly lasting?: readonly PermissionRule[];
	/** Milliseconds since 1970. */
	now(): number;
	readonly ignoreCase: boolean;
}

interface Parts extends PermissionsOptions {
	readonly file: RuleFile;
	readonly log: AuditLog;
	inForce(): Promise<PermissionRule[]>;
}

export function openPermissions({ folder, readSettings, warn }: WindowOptions) {
	let told: readonly string[] = [];
	const managedRules = () => {
		const { rules, problems } = managedRulesOf(readSettings());
		if (!isDeepStrictEqual(problems, told)) for (const problem of problems) warn(problem);
		told = problems;
		return rules;
	};
	return {
		permissions: createPermissions({ folder, managedRules, now: Date.now, ignoreCase: IGNORES_CASE }),
		stored: createStoredPermissions(folder),
		pluginConsents: createPluginConsents({ folder, workspaceUri: () => readSettings().workspaceUri }),
		/** Copies the rules of the settings for programs outside of VS Code. Never rejects. */
		share: () =>
			writeSettingsCopy(folder, readSettings()).catch((thrown) =>
				warn(`Other programs cannot be informed of the rules: ${messageOf(thrown)}`),
			),
	};
}

/** Combines the rules of a folder's window with those of `--allow`. Throws BAD_INPUT if one is invalid. */
export function openPermissionsOutside(
	folder: string,
	workspaceUri: string,
	allowed: readonly object[] = [],
): Permissions {
	const lasting = allowed.map((value) => {
		const rule = readWrittenRule(value);
		if (typeof rule !== "string") return rule;
		throw new Failure("BAD_INPUT", `--allow ${JSON.stringify(value)}: ${rule}`);
	});
	const managedRules = () => [...managedRulesOf(readSettingsCopy(folder, workspaceUri)).rules, ...lasting];
	return createPermissions({ folder, managedRules, lasting, now: Date.now, ignoreCase: IGNORES_CASE });
}

/** Whether paths ignore letter case depends on the disk; on these two systems, they do by default. */
const IGNORES_CASE = process.platform === "win32" || process.platform === "darwin";

/** Keeps rules and decisions in files of a folder. Any error there is a `Failure`, and nothing is allowed. */
export function createPermissions(options: PermissionsOptions): Permissions {
	const file = createRuleFile(join(options.folder, RULE_FILE));
	const log = createAuditLog(options.folder);
	const inForce = async () => [...options.managedRules(), ...(await file.rules())];
	const parts: Parts = { ...options, file, log, inForce };
	const orFailure = <Arguments extends unknown[], Result>(run: (...args: Arguments) => Promise<Result>) => {
		return (...args: Arguments) => run(...args).catch((thrown) => rethrow(thrown, options.folder));
	};
	return {
		verdictFor: orFailure(async (request) => {
			const [added] = await Promise.allSettled([file.rules()]);
			const own = added.status === "fulfilled" ? added.value : [];
			const rules = await rulesOnDisk([...options.managedRules(), ...own], request.workspace);
			const judged = await onDisk(request);
			const verdict = verdictOf(judged, rules, { ...options, places: await placesOnDisk(judged, rules) });
			const isLasting = options.lasting?.some(({ id }) => id === verdict.rule?.id);
			if (added.status === "rejected" && !isLasting) throw added.reason;
			return judged === request ? verdict : { ...verdict, judged };
		}),
		record: orFailure((decision) => log.append({ at: options.now(), ...shortened(decision) })),
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
		(scope === "once" && "A decision for one call is not a rule, so it cannot be added to the rules.") ||
		(scope === "session" && !owner && "A rule for a session must name the session.") ||
		(scope === "workspace" && !owner && "A rule for a workspace needs an open folder.") ||
		(argument && patternProblem(argument));
	if (problem) throw new Failure("BAD_INPUT", problem);
}

async function revokeRule({ managedRules, file, now }: Parts, id: string): Promise<void> {
	if (managedRules().some((rule) => rule.id === id)) {
		const message = "This rule comes from the settings. Change it there: copilot-LD.permissions.rules.";
		throw new Failure("BAD_INPUT", message);
	}
	if (!(await file.rules()).some((rule) => rule.id === id))
		throw new Failure("NOT_FOUND", "This rule no longer exists. Another window may have revoked it.");
	await file.revoke(id, now());
}

async function lastUses(log: AuditLog): Promise<Map<string, number>> {
	const used = new Map<string, number>();
	for await (const line of log.newestFirst()) {
		if ("damaged" in line || line.rule === undefined) continue;
		used.set(line.rule, Math.max(line.at, used.get(line.rule) ?? 0));
	}
	return used;
}

/** Returns the newest decisions that fit. Files are ordered by the clocks of the processes that wrote them. */
async function firstOf(
	log: AuditLog,
	{ since, limit, fits }: { since: number; limit: number; fits: (decision: Decision) => boolean },
): Promise<Decision[]> {
	const found: Decision[] = [];
	let lastAt = since;
	for await (const line of log.newestFirst()) {
		const decision = "damaged" in line ? lostDecision(line, lastAt) : line;
		lastAt = decision.at;
		if (decision.at < since || found.length >= limit) break;
		if (fits(decision)) found.push(decision);
	}
	return found;
}

/** Lists an unreadable line as a decision, so that the user sees that a decision is missing. */
function lostDecision({ damaged, path }: DamagedLine, at: number): Decision {
	const title = `A line of the log in ${path} is damaged: the decision is unknown. It says: ${damaged.slice(0, 200)}`;
	const request = {
		channel: "tools",
		tool: LOST,
		title,
		arguments: [],
		workspace: "",
		mutates: true,
	} as const;
	return { at, request, effect: "deny", by: "default" };
}

/** Tool name of a damaged decision, which no real tool has. */
const LOST = "(damaged)";

/** Shortens texts for the log, because users read only the beginning of a text. */
function shortened({ request, ...decision }: Decided): Decided {
	const args = request.arguments.map((argument) =>
		argument.kind === "text" && argument.value.length > LOGGED_CHARACTERS
			? { ...argument, value: `${argument.value.slice(0, LOGGED_CHARACTERS)}…` }
			: argument,
	);
	return { ...decision, request: { ...request, arguments: args } };
}

const LOGGED_CHARACTERS = 500;

function textOf({ request, effect, by }: Decision): string {
	const args = request.arguments.map(({ value }) => value);
	const words = [request.tool, request.title, request.channel, request.agent, effect, by, ...args];
	return words.join("\n").toLowerCase();
}

async function previewRule({ inForce, log, ignoreCase, now }: Parts, rule: NewRule, since: number) {
	requireSense(rule);
	const candidate: PermissionRule = { ...rule, id: randomUUID(), origin: "person", createdAt: now() };
	const rules = [...(await inForce()), candidate];
	const judge = createJudge(rules, { ignoreCase });
	const fits = (decision: Decision) => {
		if (decision.request.tool === LOST) return false;
		const verdict = judge(decision.request);
		if (verdict.rule !== candidate) return false;
		// Under the new rules, the decision would differ, or would need no question.
		const wasAsked = decision.by === "person" || decision.by === "host";
		return verdict.effect === "ask" ? !wasAsked : wasAsked || verdict.effect !== decision.effect;
	};
	return firstOf(log, { since, limit: Number.POSITIVE_INFINITY, fits });
}

export function createStoredPermissions(folder: string): PermissionData {
	const path = join(folder, RULE_FILE);
	const [file, log] = [createRuleFile(path), createAuditLog(folder)];
	return {
		sizes: async () => ({
			// A damaged file can still be cleared.
			rules: { items: (await file.rules().catch(() => [])).length, bytes: await sizeOf(path) },
			decisions: await log.size(),
		}),
		clear: async (part) => {
			if (part === "decisions") return log.clear();
			// Consents to plugins are rules, too. Without consents, the user is asked again.
			await rm(join(folder, CONSENT_FILE), { force: true });
			await file.clear();
		},
	};
}

/** Copies the rules of a window's settings for programs outside of VS Code. The write is atomic. */
export async function writeSettingsCopy(folder: string, settings: PermissionSettings): Promise<void> {
	await mkdir(folder, { recursive: true });
	const path = pathOf(folder, settings.workspaceUri);
	const draft = `${path}.${randomUUID()}`;
	await writeFile(draft, JSON.stringify(settings), { mode: 0o600 });
	await replaceFile(draft, path);
}

/** Returns empty settings for a folder that no window has opened. Throws if the copy is unreadable. */
export function readSettingsCopy(folder: string, workspaceUri: string): PermissionSettings {
	const nothing = { user: undefined, workspace: [], workspaceUri };
	try {
		const copy: unknown = JSON.parse(readFileSync(pathOf(folder, workspaceUri), "utf8"));
		if (!isRecord(copy) || !Array.isArray(copy["workspace"]))
			throw new Error("It was not written by VS Code.");
		return { ...nothing, user: copy["user"], workspace: copy["workspace"] };
	} catch (thrown) {
		if (isMissing(thrown)) return nothing;
		throw thrown;
	}
}

function pathOf(folder: string, workspaceUri: string): string {
	const name = createHash("sha256").update(folderPath(workspaceUri)).digest("hex").slice(0, 32);
	return join(folder, `settings-${name}.json`);
}
