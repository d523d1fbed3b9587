import type {
	Decision,
	PermissionRequest,
	PermissionRule,
	Permissions,
	RuleScope,
	Verdict,
} from "../core/permission/permission.ts";
import { offersFor, type RuleOffer } from "./offers.ts";

/** What a person is asked, where the rules leave a call to them. */
export interface PermissionQuestion {
	readonly request: PermissionRequest;
	/** The rule that wants the question; absent where the default does. */
	readonly rule?: PermissionRule;
	readonly offers: readonly RuleOffer[];
	/** Whether the rules still leave it to the person. */
	isOpen(): Promise<boolean>;
}

/** `ruled`: nobody has to be asked any more. */
export type PersonsAnswer =
	| { readonly kind: "once" | "ruled" }
	| { readonly kind: "rule"; readonly scope: Exclude<RuleScope, "once">; readonly offer: RuleOffer }
	| {
			readonly kind: "deny";
			/** In the person's words, for the model. */
			readonly reason?: string;
			/** Whether the turn shall end. */
			readonly andStop?: boolean;
	  };

/** Resolves with nothing where nobody can be asked; rejects with the signal's reason where it is aborted before. */
export type AskPerson<Question extends PermissionQuestion = PermissionQuestion> = (
	question: Question,
	signal: AbortSignal,
) => Promise<PersonsAnswer | undefined>;

/** How the person is asked, and who passes on what they say. */
export interface Asker {
	readonly ask: AskPerson;
	readonly by: Extract<Decision["by"], "person" | "host">;
	readonly signal: AbortSignal;
}

export interface Ruling extends Pick<Decision, "effect" | "by"> {
	readonly rule?: PermissionRule;
	/** Of a person who denied it. */
	readonly denial?: Extract<PersonsAnswer, { readonly kind: "deny" }>;
	/** Whether it was not allowed only because nobody could be asked. */
	readonly isUnasked?: boolean;
}

/**
 * The one place where a call is decided on: by the rules, else by the person. What the person wants for longer becomes
 * a rule. Resolves when the decision is on the disk; where anything rejects, nothing is allowed.
 */
export async function decide(
	permissions: Permissions,
	wanted: PermissionRequest,
	asker?: Asker,
): Promise<Ruling> {
	const verdict = await permissions.verdictFor(wanted);
	const request = verdict.judged ?? wanted;
	asker?.signal.throwIfAborted();
	const ruling =
		verdict.effect === "ask" && asker
			? await askPerson(permissions, { request, verdict }, asker)
			: rulingOf(verdict);
	// What was pressed after the turn ended allows nothing.
	asker?.signal.throwIfAborted();
	const { effect, by, rule } = ruling;
	await permissions.record({ request, effect, by, ...(rule && { rule: rule.id }) });
	return ruling;
}

interface OpenCall {
	readonly request: PermissionRequest;
	readonly verdict: Verdict;
}

async function askPerson(
	permissions: Permissions,
	{ request, verdict: { rule } }: OpenCall,
	{ ask, by, signal }: Asker,
): Promise<Ruling> {
	const isOpen = async () => (await permissions.verdictFor(request)).effect === "ask";
	// What a rule of the settings holds, no other frees.
	const offers = rule?.origin === "settings" ? [] : offersFor(request);
	const answer = await ask({ request, offers, isOpen, ...(rule && { rule }) }, signal);
	signal.throwIfAborted();
	if (answer?.kind === "deny") return { effect: "deny", by, denial: answer, ...(rule && { rule }) };
	// The rules may have changed while the person thought about it.
	const now = await permissions.verdictFor(request);
	if (now.effect !== "ask" || !answer || answer.kind === "ruled") return rulingOf(now);
	signal.throwIfAborted();
	if (answer.kind === "rule") await addRule(permissions, request, answer);
	return { effect: "allow", by, ...(now.rule && { rule: now.rule }) };
}

/** What a rule, or its absence, has decided. What is to be asked about is not allowed unasked. */
function rulingOf({ effect, rule }: Verdict): Ruling {
	const by = rule ? { by: "rule" as const, rule } : { by: "default" as const };
	return effect === "ask" ? { effect: "deny", ...by, isUnasked: true } : { effect, ...by };
}

async function addRule(
	permissions: Permissions,
	{ door, tool, session, workspace }: PermissionRequest,
	{ scope, offer: { argument } }: Extract<PersonsAnswer, { readonly kind: "rule" }>,
): Promise<void> {
	const owner = { session, workspace, always: undefined }[scope];
	await permissions.add({
		effect: "allow",
		scope,
		// A session is one conversation, whichever engine or tool host the call comes through.
		...(scope !== "session" && { door }),
		tool,
		...(owner !== undefined && { owner }),
		...(argument && { argument }),
	});
}
