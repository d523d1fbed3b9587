import type { Door } from "../../src/core/permission/door.ts";
import type {
	Decision,
	Effect,
	PermissionRequest,
	PermissionRule,
	RuleScope,
} from "../../src/core/permission/permission.ts";
import { baseName } from "../parts/text.ts";

export const EFFECTS: Record<Effect, { readonly label: string; readonly icon: string }> = {
	allow: { label: "Allow", icon: "pass" },
	ask: { label: "Ask", icon: "question" },
	deny: { label: "Deny", icon: "circle-slash" },
};

export const DOOR_NAMES: Record<Door, string> = {
	chat: "Chat",
	tools: "Tools in VS Code",
	cli: "Copilot CLI",
	mcp: "MCP clients",
};

/** Which way a call came. Calls of a chat with us are known by their session. */
export function channelOf({ door, session }: Pick<PermissionRequest, "door" | "session">): string {
	return door === "tools" && session !== undefined ? "@copilot-ld" : DOOR_NAMES[door];
}

export const DECIDERS: Record<Decision["by"], string> = {
	rule: "by a rule",
	person: "by you",
	host: "in VS Code",
	default: "by default",
};

const SCOPES: Record<RuleScope, string> = {
	once: "Once",
	session: "One session",
	workspace: "Workspace",
	always: "Always",
};

/** Where and for how long it holds. */
export function describeScope({
	scope,
	owner,
	door,
}: Pick<PermissionRule, "scope" | "owner" | "door">): string {
	const where = scope === "workspace" && owner ? `${SCOPES.workspace} ${baseName(owner)}` : SCOPES[scope];
	return `${where} · ${door ? DOOR_NAMES[door] : "every channel"}`;
}
