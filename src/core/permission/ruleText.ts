import { joined, type Phrase, phrase } from "../phrase.ts";
import type { ArgumentKind, Effect, PermissionRule, RuleScope } from "./permission.ts";

export function describeRule({ effect, tool, door, argument, scope }: PermissionRule): Phrase {
	const parts = [
		tool ? phrase("tool {0}", tool) : "",
		door ? phrase("channel {0}", door) : "",
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
