import { wordSet } from "../base/words/wordList.ts";
import type {
	ArgumentKind,
	CallArgument,
	Decision,
	PermissionRequest,
	PermissionRule,
	Permissions,
	RuleScope,
	Verdict,
} from "../core/permission/permission.ts";
import { type Phrase, phrase } from "../core/phrase.ts";
import { parseCommandLine } from "./commands/commandLine.ts";
import { freesCommand, readCommandPattern } from "./commands/commandPattern.ts";
import { readingsOf } from "./commands/readings.ts";
import { addsNothing, readingName } from "./commands/safeOptions.ts";
import { isOptionWord } from "./commands/words.ts";

export interface RuleOffer {
	/** Argument of the rule; missing for every call of the tool. */
	readonly argument?: CallArgument;
	readonly frees: Phrase;
}

export interface PermissionQuestion {
	readonly request: PermissionRequest;
	/** Rule that requires consent; missing if the default requires it. */
	readonly rule?: PermissionRule;
	readonly offers: readonly RuleOffer[];
	isOpen(): Promise<boolean>;
}

/** `ruled` means that the rules have changed and now decide. */
export type PersonsAnswer =
	| { readonly kind: "once" | "ruled" }
	| { readonly kind: "rule"; readonly scope: Exclude<RuleScope, "once">; readonly offer: RuleOffer }
	| { readonly kind: "deny"; readonly reason?: string; readonly andStop?: boolean };

/** Resolves to `undefined` if the user cannot be asked; rejects with the signal's reason if it aborts first. */
export type AskPerson<Question extends PermissionQuestion = PermissionQuestion> = (
	question: Question,
	signal: AbortSignal,
) => Promise<PersonsAnswer | undefined>;

export interface Asker {
	readonly ask: AskPerson;
	readonly by: Extract<Decision["by"], "person" | "host">;
	readonly signal: AbortSignal;
}

export interface Ruling {
	readonly effect: Decision["effect"];
	readonly by: Decision["by"];
	readonly rule?: PermissionRule;
	readonly denial?: Extract<PersonsAnswer, { readonly kind: "deny" }>;
	/** Whether the call was denied only because the user could not be asked. */
	readonly isUnasked?: boolean;
}

/** Applies the rules, or else asks the user. Resolves when the decision is recorded; a rejection allows nothing. */
export async function decide(permissions: Permissions, wanted: PermissionRequest, asker?: Asker) {
	const verdict = await permissions.verdictFor(wanted);
	const request = verdict.judged ?? wanted;
	asker?.signal.throwIfAborted();
	const ruling =
		verdict.effect === "ask" && asker
			? await askPerson(permissions, { request, rule: verdict.rule }, asker)
			: rulingOf(verdict);
	// An answer after the end of the turn allows nothing.
	asker?.signal.throwIfAborted();
	const { effect, by, rule } = ruling;
	await permissions.record({ request, effect, by, ...(rule && { rule: rule.id }) });
	return ruling;
}

async function askPerson(
	permissions: Permissions,
	{ request, rule }: { readonly request: PermissionRequest; readonly rule: Verdict["rule"] },
	{ ask, by, signal }: Asker,
): Promise<Ruling> {
	const isOpen = async () => (await permissions.verdictFor(request)).effect === "ask";
	// The user's rules cannot override a rule of the settings, so no rule is offered.
	const offers = rule?.origin === "settings" ? [] : offersFor(request);
	const answer = await ask({ request, offers, isOpen, ...(rule && { rule }) }, signal);
	signal.throwIfAborted();
	if (answer?.kind === "deny") return { effect: "deny", by, denial: answer, ...(rule && { rule }) };
	const now = await permissions.verdictFor(request);
	if (now.effect !== "ask" || !answer || answer.kind === "ruled") return rulingOf(now);
	signal.throwIfAborted();
	if (answer.kind === "rule") await addRule(permissions, request, answer);
	return { effect: "allow", by, ...(now.rule && { rule: now.rule }) };
}

/** Turns a verdict of `ask` into a denial, because nobody is asked here. */
function rulingOf({ effect, rule }: Verdict): Ruling {
	const by = rule ? { by: "rule" as const, rule } : { by: "default" as const };
	return effect === "ask" ? { effect: "deny", ...by, isUnasked: true } : { effect, ...by };
}

async function addRule(
	permissions: Permissions,
	{ channel, tool, session, workspace }: PermissionRequest,
	{ scope, offer: { argument } }: Extract<PersonsAnswer, { readonly kind: "rule" }>,
): Promise<void> {
	const owner = { session, workspace, always: undefined }[scope];
	await permissions.add({
		effect: "allow",
		scope,
		// Session rules apply to every engine and host of the conversation.
		...(scope !== "session" && { channel }),
		tool,
		...(owner !== undefined && { owner }),
		...(argument && { argument }),
	});
}

/** Returns rules that also allow later calls, narrowest first; empty if no rule is safe. */
export function offersFor({ tool, arguments: args }: PermissionRequest): readonly RuleOffer[] {
	const [first, ...others] = args.filter(({ kind }) => kind !== "text");
	const whole: RuleOffer = { frees: phrase("every call of {0}, with any input", tool) };
	const wider = TOOLS_WITH_ARGUMENTS.has(tool) ? [] : [whole];
	if (!first || first.kind === "text" || others.length > 0) return wider;
	const { kind, value } = first;
	if (kind === "command") return [...commandOffers(value), ...wider];
	// The value contains wildcards, so a rule for this value would also match other values.
	if (/[*?]/.test(value)) return wider;
	return [{ argument: { kind, value }, frees: FREED[kind](value) }, ...wider];
}

const FREED: Readonly<Record<ArgumentKind, (value: string) => Phrase>> = {
	command: (value) => phrase("the command “{0}”", value),
	path: (value) => phrase("the path “{0}”", value),
	host: (value) => phrase("the host “{0}”", value),
};

/** Tools whose arguments describe the call; `other` is any action without its own name. */
const TOOLS_WITH_ARGUMENTS = wordSet("shell edit delete move fetch other");

/** Characters of a word that every shell and every reader understands in the same way. */
const PLAIN = /^[\w@%+=:,./-]+$/;

function commandOffers(line: string): RuleOffer[] {
	const words = plainWords(line);
	if (!words) return [];
	const text = words.join(" ");
	const whole = { value: `${text} $`, frees: phrase("exactly “{0}”", text) };
	const name = readingName(words);
	const fixed = addsNothing(words, name.length) ? words.slice(0, words.findLastIndex(isOptionWord) + 1) : [];
	const narrow = fixed.length > name.length ? fixed : name;
	const [beginning, start] = [narrow.join(" "), name.join(" ")];
	const names = {
		value: `${beginning} *`,
		frees: phrase("“{0}” with other names within the folder, and no other options", beginning),
	};
	const prefix = {
		value: start,
		frees: phrase("“{0}” with anything after it, except options that are not known to be harmless", start),
	};
	const offers = [
		name.length > 0 && isFreed(names.value, line) ? names : whole,
		...(name.length > 1 ? [prefix] : []),
	];
	return offers
		.filter(({ value }) => isFreed(value, line))
		.map(({ value, frees }) => ({ argument: { kind: "command", value }, frees }));
}

/** Returns the words of a line with one plain command; `undefined` for lines that make unreadable rules. */
function plainWords(line: string): string[] | undefined {
	const { commands, isClear } = parseCommandLine(line);
	const [first, ...others] = commands;
	if (!isClear || !first?.isPlain || others.length > 0) return undefined;
	const words = first.words.filter((word) => PLAIN.test(word));
	const isWhole = words.length === first.words.length && words.join(" ") === line.trim().replace(/\s+/g, " ");
	return isWhole ? words : undefined;
}

function isFreed(value: string, line: string): boolean {
	const pattern = readCommandPattern(value);
	const [command] = parseCommandLine(line).commands;
	return pattern !== undefined && command !== undefined && freesCommand(pattern, readingsOf(command));
}
