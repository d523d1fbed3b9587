import { joined, type Phrase, phrase } from "../phrase.ts";
import type { ArgumentKind, Channel, Decision, Effect, PermissionRule, RuleScope } from "./permission.ts";

export function describeRule({ effect, tool, channel, argument, scope }: PermissionRule): Phrase {
	const parts = [
		tool ? phrase("tool {0}", tool) : "",
		channel ? phrase("channel {0}", channel) : "",
		argument ? ARGUMENTS[argument.kind](argument.value) : "",
		SCOPES[scope],
	].filter((part) => part !== "");
	return EFFECTS[effect](joined(parts.length > 0 ? parts : [phrase("everything")], ", "));
}

const EFFECTS: Readonly<Record<Effect, (what: string | Phrase) => Phrase>> = {
	allow: (what) => phrase("allow, {0}", what),
	ask: (what) => phrase("ask, {0}", what),
	deny: (what) => phrase("deny, {0}", what),
};

const ARGUMENTS: Readonly<Record<ArgumentKind, (value: string) => Phrase>> = {
	command: (value) => phrase("command “{0}”", value),
	path: (value) => phrase("path “{0}”", value),
	host: (value) => phrase("host “{0}”", value),
};

const SCOPES: Readonly<Record<RuleScope, string | Phrase>> = {
	once: phrase("once"),
	session: phrase("in this session"),
	workspace: phrase("in this workspace"),
	always: "",
};

export const CHANNEL_NAMES: Readonly<Record<Channel, string | Phrase>> = {
	chat: phrase("Chat"),
	tools: phrase("Tools in VS Code"),
	cli: "Copilot CLI",
	mcp: phrase("MCP clients"),
};

export function describeDecision(effect: Decision["effect"], by: Decision["by"]): Phrase {
	return (effect === "allow" ? ALLOWED : DENIED)[by];
}

const ALLOWED: Readonly<Record<Decision["by"], Phrase>> = {
	rule: phrase("Allowed by a rule"),
	person: phrase("Allowed by you"),
	host: phrase("Allowed in VS Code"),
	default: phrase("Allowed by default"),
};

const DENIED: Readonly<Record<Decision["by"], Phrase>> = {
	rule: phrase("Denied by a rule"),
	person: phrase("Denied by you"),
	host: phrase("Denied in VS Code"),
	default: phrase("Denied by default"),
};
