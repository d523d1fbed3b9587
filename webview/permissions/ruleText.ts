import type {
	ArgumentKind,
	Decision,
	Door,
	Effect,
	NewRule,
	RuleScope,
} from "../../src/core/permission/permission.ts";
import { baseName } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";

export const EFFECTS: Record<Effect, { readonly label: string; readonly icon: string }> = {
	allow: { label: l10n.t("Allow"), icon: "pass" },
	ask: { label: l10n.t("Ask"), icon: "question" },
	deny: { label: l10n.t("Deny"), icon: "circle-slash" },
};

export const DOOR_NAMES: Record<Door, string> = {
	chat: l10n.t("Chat"),
	tools: l10n.t("Tools in VS Code"),
	cli: "Copilot CLI",
	mcp: l10n.t("MCP clients"),
};

const ALLOWED: Record<Decision["by"], string> = {
	rule: l10n.t("Allowed by a rule"),
	person: l10n.t("Allowed by you"),
	host: l10n.t("Allowed in VS Code"),
	default: l10n.t("Allowed by default"),
};

const DENIED: Record<Decision["by"], string> = {
	rule: l10n.t("Denied by a rule"),
	person: l10n.t("Denied by you"),
	host: l10n.t("Denied in VS Code"),
	default: l10n.t("Denied by default"),
};

export function decidedText(effect: Decision["effect"], by: Decision["by"]): string {
	return (effect === "allow" ? ALLOWED : DENIED)[by];
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
	return `${where} · ${door ? DOOR_NAMES[door] : l10n.t("every channel")}`;
}
