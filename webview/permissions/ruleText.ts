import type { ArgumentKind, Door, Effect, NewRule, RuleScope } from "../../src/core/permission/permission.ts";
import { DOOR_NAMES, describeDecision } from "../../src/core/permission/ruleText.ts";
import { inWords } from "../../src/core/phrase.ts";
import { baseName } from "../parts/elements.ts";
import { l10n, translationOf } from "../parts/l10n.ts";

export const EFFECTS: Record<Effect, { readonly label: string; readonly icon: string }> = {
	allow: { label: l10n.t("Allow"), icon: "pass" },
	ask: { label: l10n.t("Ask"), icon: "question" },
	deny: { label: l10n.t("Deny"), icon: "circle-slash" },
};

export function channelName(door: Door): string {
	return inWords(DOOR_NAMES[door], translationOf);
}

export function decidedText(...decided: Parameters<typeof describeDecision>): string {
	return inWords(describeDecision(...decided), translationOf);
}

export const ARGUMENT_NAMES: Record<ArgumentKind, string> = {
	command: l10n.t("command"),
	path: l10n.t("path"),
	host: l10n.t("host"),
};

const SCOPES: Record<RuleScope, string> = {
	once: l10n.t("Once"),
	session: l10n.t("One session"),
	workspace: l10n.t("Workspace"),
	always: l10n.t("Always"),
};

export function describeScope({ scope, owner, door }: NewRule): string {
	const where = scope === "workspace" && owner ? l10n.t("Workspace {0}", baseName(owner)) : SCOPES[scope];
	return `${where} · ${door ? channelName(door) : l10n.t("every channel")}`;
}
