import type {
	Decision,
	PermissionRequest,
	PermissionRule,
	Permissions,
	RuleScope,
	Verdict,
} from "../core/permission/permission.ts";
import { offersFor, type RuleOffer } from "./offers.ts";

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
	| {
			readonly kind: "deny";
			readonly reason?: string;
			readonly andStop?: boolean;
	  };

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
