import type {
	Effect,
	PermissionRequest,
	PermissionRule,
	RequestArgument,
	RuleScope,
	Verdict,
} from "../core/permission/permission.ts";
import {
	type ArgumentPattern,
	coversPattern,
	type Disk,
	meetsExactly,
	meetsLoosely,
	readPattern,
	type Subject,
	type Surroundings,
	subjectsOf,
} from "./arguments/argumentPattern.ts";
import { mayMention } from "./arguments/mentions.ts";
import { coversName, folderPath } from "./arguments/pattern.ts";
import type { Meeting } from "./commands/commandPattern.ts";

const STRICTNESS: Record<Effect, number> = { allow: 0, ask: 1, deny: 2 };
const NARROWNESS: Record<RuleScope, number> = { always: 0, workspace: 1, session: 2, once: 3 };

/** `pattern` is `undefined` if the rule names no argument. */
interface ReadRule {
	readonly rule: PermissionRule;
	readonly pattern: ArgumentPattern | undefined;
}

/**
 * Judges each argument of a request, and each command of a command line; the strictest result counts. A narrower
 * rule overrides a wider rule; of all others, the strictest decides. A user's rule never overrides a rule of the
 * settings. Anything that cannot be parsed reliably requires at least consent.
 */
export function verdictOf(request: PermissionRequest, rules: readonly PermissionRule[], options: Disk) {
	return createJudge(rules, options)(request);
}

/** Works like `verdictOf` for many requests, but parses the rules only once. */
export function createJudge(rules: readonly PermissionRule[], options: Disk) {
	const read = new Map<string, readonly ReadRule[]>();
	const rulesIn = (workspace: string) => {
		const known = read.get(workspace);
		if (known) return known;
		const readNow = rules.flatMap((rule) => readRule(rule, { ...options, workspace })).sort(byStrictness);
		read.set(workspace, readNow);
		return readNow;
	};
	const judgeOne = (request: PermissionRequest): Verdict => {
		const { workspace, mutates } = request;
		const concerned = rulesIn(workspace).filter(({ rule }) => concerns(rule, request));
		const surroundings = { ...options, workspace };
		const subjects = request.arguments.flatMap((argument) => subjectsOf(argument, surroundings));
		const otherwise: Verdict = { effect: mutates ? "ask" : "allow" };
		const verdicts = (subjects.length > 0 ? subjects : [undefined]).map((subject) =>
			judge(subject, concerned, otherwise),
		);
		const doubts = request.arguments.flatMap((argument) => doubtOf(argument, concerned, surroundings) ?? []);
		return [...verdicts, ...doubts].reduce(stricter);
	};
	return ({ uses = [], ...request }: PermissionRequest): Verdict => {
		const held = uses.map((tool) => judgeOne({ ...request, tool })).filter(({ rule }) => rule);
		return held.reduce(stricter, judgeOne(request));
	};
}

/** Returns the stricter of two verdicts; of two equally strict verdicts, the one with a rule. */
function stricter(verdict: Verdict, other: Verdict): Verdict {
	const difference = STRICTNESS[other.effect] - STRICTNESS[verdict.effect];
	return difference > 0 || (difference === 0 && !verdict.rule) ? other : verdict;
}

function concerns({ channel, tool, scope, owner }: PermissionRule, request: PermissionRequest): boolean {
	if (channel !== undefined && channel !== request.channel) return false;
	if (tool !== undefined && !coversName(tool, request.tool)) return false;
	if (scope === "session") return owner !== undefined && owner === request.session;
	if (scope === "workspace") return owner !== undefined && isSameFolder(owner, request.workspace);
	return scope === "always";
}

/** Programs may encode the same URI differently. */
function isSameFolder(owner: string, workspace: string): boolean {
	return owner === workspace || (workspace !== "" && folderPath(owner) === folderPath(workspace));
}

/** An allow rule with an unreadable argument is dropped; any other rule then matches every argument. */
function readRule(rule: PermissionRule, surroundings: Surroundings): ReadRule[] {
	if (!rule.argument) return [{ rule, pattern: undefined }];
	const pattern = readPattern(rule.argument, surroundings);
	if (pattern) return [{ rule, pattern }];
	const isForNowhere = rule.argument.kind === "path" && surroundings.workspace === "";
	return rule.effect === "allow" || isForNowhere ? [] : [{ rule, pattern: undefined }];
}

function judge(subject: Subject | undefined, rules: readonly ReadRule[], otherwise: Verdict): Verdict {
	const met = rules.map((read) => ({ read, meeting: meetingOf(read, subject) }));
	const sure = met.flatMap(({ read, meeting }) => (meeting === "yes" ? [read] : []));
	const winner = decide(sure);
	const verdict = winner ? { effect: winner.rule.effect, rule: winner.rule } : otherwise;
	if (verdict.effect !== "allow") return verdict;
	const doubted = met.find(
		({ read, meeting }) =>
			(meeting === "maybe" || (meeting === "unlisted" && winner?.pattern?.kind !== "command")) &&
			!(winner && (overrides(winner, read) || isAnswerTo(winner, read))),
	);
	if (doubted) return { effect: "ask", rule: doubted.read.rule };
	return subject?.kind === "unclear" ? { effect: "ask" } : verdict;
}

/** Requires consent if a text or command line may mention the argument of a rule for another kind. */
function doubtOf(
	argument: RequestArgument,
	rules: readonly ReadRule[],
	surroundings: Surroundings,
): Verdict | undefined {
	const { kind } = argument;
	if (kind === "path" || kind === "host") return undefined;
	const subjects = subjectsOf(argument, surroundings);
	const mentioned = rules.filter(({ rule, pattern }) => {
		if (!rule.argument || rule.argument.kind === kind) return false;
		return !pattern || mayMention(pattern, argument, surroundings);
	});
	const answers = rules.filter(
		({ rule, pattern }) =>
			rule.effect === "allow" && pattern && subjects.some((subject) => meetsExactly(pattern, subject)),
	);
	const doubted = mentioned.find(
		(read) =>
			read.rule.effect !== "allow" &&
			!mentioned.some((other) => other.rule.effect === "allow" && overrides(other, read)) &&
			!(subjects.length === 1 && answers.some((answer) => isAnswerTo(answer, read))),
	);
	return doubted && { effect: "ask", rule: doubted.rule };
}

function meetingOf({ rule, pattern }: ReadRule, subject: Subject | undefined): Meeting {
	if (!rule.argument) return "yes";
	if (!subject) return "no";
	const kind = subject.kind === "unclear" ? "command" : subject.kind;
	if (!pattern) return kind === rule.argument.kind ? "yes" : "no";
	if (rule.effect === "allow") return meetsExactly(pattern, subject) ? "yes" : "no";
	return meetsLoosely(pattern, subject);
}

/** A rule of the settings decides, unless the user has a stricter rule that it does not override. */
function decide(rules: readonly ReadRule[]): ReadRule | undefined {
	const managed = strictestOf(rules.filter(({ rule }) => rule.origin === "settings"));
	const personal = rules.filter(({ rule }) => rule.origin === "person");
	if (!managed) return strictestOf(personal);
	const held = personal.filter(
		(own) => STRICTNESS[own.rule.effect] > STRICTNESS[managed.rule.effect] && !isNarrower(managed, own),
	);
	// A wider rule of the user yields to a narrower rule of the user.
	return strictestOf(held.filter((own) => !personal.some((other) => isNarrower(other, own)))) ?? managed;
}

/** The rules are ordered by strictness. */
function strictestOf(rules: readonly ReadRule[]): ReadRule | undefined {
	return rules.find((read) => !rules.some((other) => isNarrower(other, read)));
}

/** The older of two equally strict rules comes first, so that the order in the file is irrelevant. */
function byStrictness({ rule: a }: ReadRule, { rule: b }: ReadRule): number {
	const difference = STRICTNESS[b.effect] - STRICTNESS[a.effect];
	if (difference !== 0) return difference;
	return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

function overrides(rule: ReadRule, other: ReadRule): boolean {
	return isNarrower(rule, other) && !(other.rule.origin === "settings" && rule.rule.origin === "person");
}

/** Whether a rule names exactly this command, while the other rule is only a possible match. */
function isAnswerTo({ rule, pattern }: ReadRule, other: ReadRule): boolean {
	const isWhole = pattern?.kind === "command" && pattern.rest === "nothing";
	return isWhole && !(other.rule.origin === "settings" && rule.origin === "person");
}

function isNarrower(rule: ReadRule, other: ReadRule): boolean {
	return isWithin(rule, other) && !isWithin(other, rule);
}

function isWithin({ rule, pattern }: ReadRule, { rule: outer, pattern: outerPattern }: ReadRule): boolean {
	if (outer.channel !== undefined && outer.channel !== rule.channel) return false;
	if (outer.tool !== undefined && !(rule.tool !== undefined && coversName(outer.tool, rule.tool)))
		return false;
	if (NARROWNESS[outer.scope] > NARROWNESS[rule.scope]) return false;
	return !outerPattern || (pattern !== undefined && coversPattern(outerPattern, pattern));
}
