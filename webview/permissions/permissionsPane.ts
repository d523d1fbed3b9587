import { html, nothing, type TemplateResult } from "lit";
import type { SourcedPolicy } from "../../src/core/knowledge/catalog.ts";
import type { Channel, Decision, PermissionRule, RuleUse } from "../../src/core/permission/permission.ts";
import { CHANNEL_NAMES, describeDecision } from "../../src/core/permission/ruleText.ts";
import { inWords } from "../../src/core/phrase.ts";
import type { RuleDraft, ViewRequest } from "../../src/protocol/webview.ts";
import {
	type Action,
	AUDIT_PAGE,
	type AuditState,
	type Dispatch,
	type PermissionsState,
	type Step,
	stay,
	type Update,
	type ViewState,
	wanted,
	withPart,
} from "../model/state.ts";
import {
	action,
	baseName,
	button,
	choosersOf,
	icon,
	item,
	itemList,
	searchField,
} from "../parts/elements.ts";
import { exactTime, l10n, timeAgo, translationOf } from "../parts/l10n.ts";

export function permissionsPane(state: ViewState, dispatch: Dispatch): TemplateResult {
	const { environment, permissions, now } = state;
	const adding = action("add", l10n.t("Add Rule"), () => dispatch(wanted({ kind: "makeRule" })), "add-rule");
	const hiding = environment?.policies;
	return html`<div class="pane scroll sections" tabindex="-1">
		${section(l10n.t("Rules"), rules(state, dispatch), { count: permissions.rules?.length, actions: adding })}
		${auditSection(permissions.audit, now, dispatch)}
		${section(l10n.t("Resource Policies"), policies(hiding ?? []), { count: hiding?.length })}
	</div>`;
}

function rules({ permissions, now }: ViewState, dispatch: Dispatch): TemplateResult {
	const nothingYet = l10n.t(
		"No rules. Tools that only read your knowledge are allowed; for anything else you are asked each time.",
	);
	const toItem = (use: RuleUse) => ruleItem(use, now, dispatch);
	return itemList(permissions.rules, nothingYet, toItem, ({ rule }) => rule.id);
}

function policies(all: readonly SourcedPolicy[]): TemplateResult {
	const none = l10n.t("No policy hides anything. Policies are written in .copilot-ld/config.yaml.");
	return itemList(all, none, (policy) => {
		const channels = policy.channels?.map(channelName).join(", ") ?? l10n.t("everyone");
		return item(
			"eye-closed",
			html`<span class="words">${l10n.t("Hides {0}", hiddenBy(policy))}</span>
				<span class="dim">${l10n.t("from {0}", channels)} · ${policy.source}</span>`,
		);
	});
}

function hiddenBy({ paths, types, properties }: SourcedPolicy): string {
	const parts = [
		properties && l10n.t("the properties {0}", properties.join(", ")),
		types &&
			(properties
				? l10n.t("of resources of type {0}", types.join(", "))
				: l10n.t("resources of type {0}", types.join(", "))),
		paths && (types || properties ? l10n.t("in {0}", paths.join(", ")) : paths.join(", ")),
	];
	return parts.filter(Boolean).join(" ") || l10n.t("everything");
}

const EFFECT_CHOICES = [
	[undefined, l10n.t("All decisions")],
	["allow", l10n.t("Allowed")],
	["deny", l10n.t("Denied")],
] as const;

function auditSection(audit: AuditState, now: number, dispatch: Dispatch): TemplateResult {
	const search = (text: string) => dispatch(filterAudit({ text, limit: AUDIT_PAGE }));
	const chooser = choosersOf(audit, (field, value) => dispatch(filterAudit({ [field]: value })));
	const exportAll = () => dispatch(wanted({ kind: "exportPermissions" }));
	const exporting = action("export", l10n.t("Export Rules and Decisions as JSON"), exportAll);
	const { decisions = [], effect: wantedEffect, limit } = audit;
	const shown = audit.decisions?.filter(
		({ effect }) => wantedEffect === undefined || effect === wantedEffect,
	);
	const none = l10n.t("No decisions. Every call that is allowed or denied is logged here.");
	const more = () => dispatch(filterAudit({ limit: limit + AUDIT_PAGE }));
	const content = html`<div class="toolbar wrap">
			${searchField("audit-search", l10n.t("Filter decisions"), audit.text, search)}
			${chooser("effect", "audit-effect", l10n.t("Decision"), EFFECT_CHOICES)}
		</div>
		${itemList(shown, none, (decision) => decisionItem(decision, now))}
		${decisions.length < limit ? nothing : html`<div class="more-bar">${button(l10n.t("Show More"), more)}</div>`}`;
	return section(l10n.t("Audit Log"), content, { actions: exporting });
}

function ruleItem(use: RuleUse, now: number, dispatch: Dispatch): TemplateResult {
	const { rule } = use;
	const { label, icon: name } = EFFECTS[rule.effect];
	const managed = l10n.t("Managed in Settings (Select to Open)");
	const openSettings = () => dispatch(wanted({ kind: "openSettings" }));
	const revoke = () => dispatch(wanted({ kind: "revokeRule", rule: rule.id }));
	return item(
		name,
		html`<span class="words"><strong>${label}</strong> ${about(rule)}</span>
			<span class="dim">${describeScope(rule)}</span>
			<span class="dim" title=${exactTime(rule.createdAt)}>${history(use, now)}</span>`,
		rule.origin === "settings"
			? action("lock", managed, openSettings)
			: action("trash", l10n.t("Revoke"), revoke),
	);
}

function about({ tool, argument }: PermissionRule): TemplateResult {
	if (!tool && !argument) return html`${l10n.t("every tool")}`;
	return html`${tool ? html`<code>${tool}</code>` : nothing}
	${argument ? html`${ARGUMENT_NAMES[argument.kind]} <code>${argument.value}</code>` : nothing}`;
}

function history({ rule, lastUsedAt }: RuleUse, now: number): string {
	const added = l10n.t("added {0}", timeAgo(rule.createdAt, now));
	const origin = rule.origin === "settings" ? l10n.t("from the settings") : added;
	return `${origin} · ${lastUsedAt === undefined ? l10n.t("never used") : l10n.t("last used {0}", timeAgo(lastUsedAt, now))}`;
}

function section(
	title: string,
	content: TemplateResult,
	{ count, actions }: { readonly count?: number | undefined; readonly actions?: TemplateResult },
): TemplateResult {
	return html`<section class="section" aria-label=${title}>
		${actions ? html`<div class="section-actions">${actions}</div>` : nothing}
		<details open>
			<summary>
				${icon("chevron-right")}
				<h2>${title}</h2>
				${count === undefined ? nothing : html`<span class="dim">${count}</span>`}
			</summary>
			${content}
		</details>
	</section>`;
}

function decisionItem({ at, effect, by, request }: Decision, now: number): TemplateResult {
	// Only calls of our own chats have a session.
	const isOurs = request.channel === "tools" && request.session !== undefined;
	const channel = isOurs ? "@copilot-ld" : channelName(request.channel);
	const values = request.arguments.map(({ value }) => value).join(", ");
	const agent = request.agent ? ` · ${request.agent}` : "";
	return item(
		effect === "allow" ? "pass" : "circle-slash",
		html`<span class="words">${request.title || request.tool}</span>
			<span class="dim words"><code>${request.tool}</code> ${values}</span>
			<span class="dim"
				>${decidedText(effect, by)} · ${channel}${agent} · <span title=${exactTime(at)}>${timeAgo(at, now)}</span></span
			>`,
	);
}

const EFFECTS = {
	allow: { label: l10n.t("Allow"), icon: "pass" },
	ask: { label: l10n.t("Ask"), icon: "question" },
	deny: { label: l10n.t("Deny"), icon: "circle-slash" },
};

function channelName(channel: Channel): string {
	return inWords(CHANNEL_NAMES[channel], translationOf);
}

export function decidedText(...decided: Parameters<typeof describeDecision>): string {
	return inWords(describeDecision(...decided), translationOf);
}

const ARGUMENT_NAMES = {
	command: l10n.t("command"),
	path: l10n.t("path"),
	host: l10n.t("host"),
};

const SCOPES = {
	once: l10n.t("Once"),
	session: l10n.t("One session"),
	workspace: l10n.t("Workspace"),
	always: l10n.t("Always"),
};

function describeScope({ scope, owner, channel }: PermissionRule): string {
	const where = scope === "workspace" && owner ? l10n.t("Workspace {0}", baseName(owner)) : SCOPES[scope];
	return `${where} · ${channel ? channelName(channel) : l10n.t("every channel")}`;
}

function filterAudit(filter: Partial<AuditState>): Action {
	return (state) => {
		const next = withPart(state, "permissions", { audit: { ...state.permissions.audit, ...filter } });
		return stay(next, listDecisions(next.permissions));
	};
}

export const refreshPermissions: Action = (state) =>
	stay(state, { kind: "listRules" }, listDecisions(state.permissions));

export function hearDecisions(state: ViewState, { text, limit, decisions }: Update<"decisions">): Step {
	const { audit } = state.permissions;
	const isWanted = text === audit.text && limit === audit.limit;
	return stay(isWanted ? withPart(state, "permissions", { audit: { ...audit, decisions } }) : state);
}

export function draftFrom(known: PermissionRule): RuleDraft {
	const { id: _id, origin: _origin, createdAt: _createdAt, scope, ...rule } = known;
	// A decision for one call cannot be added again as a rule; it is shown as a rule of its session.
	return { ...rule, scope: scope === "once" ? "session" : scope };
}

function listDecisions({ audit: { text, limit } }: PermissionsState): ViewRequest {
	return { kind: "listDecisions", text, limit };
}
