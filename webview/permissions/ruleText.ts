import { html, type TemplateResult } from "lit";
import type {
	ArgumentKind,
	Decision,
	Door,
	Effect,
	NewRule,
	RuleScope,
} from "../../src/core/permission/permission.ts";
import type { Dispatch } from "../model/event.ts";
import type { Preview } from "../model/state.ts";
import { action, baseName, icon, loadingNote } from "../parts/elements.ts";
import { exactTime, l10n, numeral, timeAgo } from "../parts/l10n.ts";

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

/** What is in front of a value in a rule. */
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

const MAX_SHOWN = 20;

export function previewBox({ rule, decisions }: Preview, now: number, dispatch: Dispatch): TemplateResult {
	return html`<div class="preview" role="group" aria-label=${l10n.t("Preview")}>
		<div class="preview-head">
			<h3 class="grow">${l10n.t("In the last 30 days")}</h3>
			${action({ icon: "close", label: l10n.t("Close Preview"), run: () => dispatch({ kind: "previewClosed" }) })}
		</div>
		${decisions ? changes(decisions, CHANGED[rule.effect], now) : loadingNote()}
	</div>`;
}

const CHANGED: Record<Effect, (calls: number) => string> = {
	allow: (calls) =>
		calls === 1
			? l10n.t("1 call would have been allowed.")
			: l10n.t("{0} calls would have been allowed.", numeral(calls)),
	ask: (calls) =>
		calls === 1
			? l10n.t("You would have been asked about 1 call.")
			: l10n.t("You would have been asked about {0} calls.", numeral(calls)),
	deny: (calls) =>
		calls === 1
			? l10n.t("1 call would have been denied.")
			: l10n.t("{0} calls would have been denied.", numeral(calls)),
};

function changes(
	decisions: NonNullable<Preview["decisions"]>,
	changed: (calls: number) => string,
	now: number,
): TemplateResult {
	if (decisions.length === 0)
		return html`<p class="dim">${l10n.t("This rule would not have changed any decision.")}</p>`;
	const left = decisions.length - MAX_SHOWN;
	return html`<p>${changed(decisions.length)}</p>
		<ul class="items">
			${decisions.slice(0, MAX_SHOWN).map((decision) => decisionItem(decision, now))}
		</ul>
		${left > 0 ? html`<p class="dim">… ${l10n.t("and {0} more", numeral(left))}</p>` : ""}`;
}

export function decisionItem({ at, effect, by, request }: Decision, now: number): TemplateResult {
	const allowed = effect === "allow";
	// Which way the call came: calls of a chat with us are known by their session.
	const isOurs = request.door === "tools" && request.session !== undefined;
	const channel = isOurs ? "@copilot-ld" : DOOR_NAMES[request.door];
	const values = request.arguments.map(({ value }) => value).join(", ");
	return html`<li class="item">
		${icon(allowed ? "pass" : "circle-slash")}
		<div class="lines">
			<span class="words">${request.title || request.tool}</span>
			<span class="dim words"><code>${request.tool}</code> ${values}</span>
			<span class="dim"
				>${decidedText(effect, by)} · ${channel}${request.agent ? ` · ${request.agent}` : ""} ·
				<span title=${exactTime(at)}>${timeAgo(at, now)}</span></span
			>
		</div>
	</li>`;
}
