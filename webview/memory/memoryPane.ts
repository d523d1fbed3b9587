import { html, type TemplateResult } from "lit";
import type { Fact, FactScope } from "../../src/core/session/memory.ts";
import { type Dispatch, stay, type ViewState, wanted, withPart } from "../model/state.ts";
import { action, baseName, item, itemList, link, searchField } from "../parts/elements.ts";
import { exactTime, l10n, timeAgo } from "../parts/l10n.ts";
import { openSession } from "../sessions/sessionActions.ts";

export function memoryPane({ memory, now }: ViewState, dispatch: Dispatch): TemplateResult {
	const { facts, text } = memory;
	const filter = (text: string) => dispatch((state) => stay(withPart(state, "memory", { text })));
	const shown = facts?.filter((fact) => fact.text.toLowerCase().includes(text.toLowerCase()));
	const none = facts?.length
		? l10n.t("No fact contains “{0}”.", text)
		: l10n.t(
				"Nothing is remembered yet. Write “@copilot-ld /remember” followed by what every chat should know.",
			);
	const toItem = (fact: Fact) => factItem(fact, now, dispatch);
	return html`<section class="pane" aria-label=${l10n.t("Memory")}>
		<div class="toolbar">${searchField("facts-search", l10n.t("Filter facts"), text, filter)}</div>
		<div id="facts" class="scroll" tabindex="0" role="region" aria-label=${l10n.t("Facts")}>
			${itemList(shown, none, toItem, ({ id }) => id)}
		</div>
	</section>`;
}

const SCOPES: Record<FactScope, { readonly label: string; readonly icon: string }> = {
	session: { label: l10n.t("One session"), icon: "comment-discussion" },
	workspace: { label: l10n.t("Workspace"), icon: "folder" },
	user: { label: l10n.t("Everywhere"), icon: "account" },
};

function factItem(fact: Fact, now: number, dispatch: Dispatch): TemplateResult {
	const { id, text, scope, updatedAt } = fact;
	const edit = () => dispatch(wanted({ kind: "editFact", fact: id, text }));
	const forget = () => dispatch(wanted({ kind: "forgetFact", fact: id }));
	return item(
		SCOPES[scope].icon,
		html`<span class="words">${text}</span>
			<span class="dim" title=${exactTime(updatedAt)}>${factDetails(fact, now)}</span>
			${sourceLink(fact, dispatch)}`,
		html`${action("edit", l10n.t("Edit"), edit)}
		${action("trash", l10n.t("Forget"), forget)}`,
	);
}

function factDetails({ scope, owner, source, updatedAt }: Fact, now: number): string {
	const where = scope === "workspace" && owner ? baseName(owner) : SCOPES[scope].label;
	const by = source.by === "person" ? l10n.t("said by you") : l10n.t("noted by the model");
	return [where, by, timeAgo(updatedAt, now)].join(" · ");
}

function sourceLink({ source: { session } }: Fact, dispatch: Dispatch): TemplateResult {
	if (session === undefined) return html``;
	const open = () => dispatch((state) => openSession({ ...state, tab: "sessions" }, session));
	return html`<span>${link(l10n.t("Show Session"), open)}</span>`;
}
