import type {
	Decision,
	PermissionRequest,
	PermissionRule,
	Permissions,
	RuleScope,
	Verdict,
} from "../core/permission/permission.ts";
import { offersFor, type RuleOffer } from "./offers.ts";

/** The question to the user if the rules require their consent. */
export interface PermissionQuestion {
	readonly request: PermissionRequest;
	/** The rule that requires the question; absent if it is the default. */
	readonly rule?: PermissionRule;
	readonly offers: readonly RuleOffer[];
	/** Whether the rules still require the user's consent. */
	isOpen(): Promise<boolean>;
}

/** `ruled`: the rules have decided meanwhile. */
export type PersonsAnswer =
	| { readonly kind: "once" | "ruled" }
	| { readonly kind: "rule"; readonly scope: Exclude<RuleScope, "once">; readonly offer: RuleOffer }
	| {
			readonly kind: "deny";
			/** In the user's words, for the model. */
			readonly reason?: string;
			readonly andStop?: boolean;
	  };

/** Resolves to `undefined` if the user cannot be asked; rejects with the signal's reason if it is aborted first. */
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
	/** The answer of a user who denied the call. */
	readonly denial?: Extract<PersonsAnswer, { readonly kind: "deny" }>;
	/** Whether it was refused only because the user could not be asked. */
	readonly isUnasked?: boolean;
}

/** The only place that decides: by the rules, else by the user. Resolves when it is on the disk; if anything rejects, nothing is allowed. */
export async function decide(permissions: Permissions, wanted: PermissionRequest, asker?: Asker) {
	const verdict = await permissions.verdictFor(wanted);
	const request = verdict.judged ?? wanted;
	asker?.signal.throwIfAborted();
	const ruling =
		verdict.effect === "ask" && asker
			? await askPerson(permissions, { request, rule: verdict.rule }, asker)
			: rulingOf(verdict);
	// What was pressed after the turn ended allows nothing.
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
	// What a rule of the settings holds, no other frees.
	const offers = rule?.origin === "settings" ? [] : offersFor(request);
	const answer = await ask({ request, offers, isOpen, ...(rule && { rule }) }, signal);
	signal.throwIfAborted();
	if (answer?.kind === "deny") return { effect: "deny", by, denial: answer, ...(rule && { rule }) };
	// The rules may have changed before the user answered.
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
