import { html, type TemplateResult } from "lit";
import type { Fact, FactScope } from "../../src/core/session/memory.ts";
import type { ViewRequest } from "../../src/protocol/webview.ts";
import { type Action, type Dispatch, focusing, stay, type ViewState, wanted } from "../model/state.ts";
import { action, baseName, item, itemList, searchField, textOf } from "../parts/elements.ts";
import { exactTime, l10n, timeAgo } from "../parts/l10n.ts";
import { openSession } from "../sessions/sessionActions.ts";

export function memoryPane({ memory, now }: ViewState, dispatch: Dispatch): TemplateResult {
	const filter = (text: string) => dispatch((state) => stay(withMemory(state, { text })));
	return html`<section class="pane" aria-label=${l10n.t("Memory")}>
		<div class="toolbar">
			${searchField("facts-search", l10n.t("Filter facts"), memory.text, filter)}
		</div>
		<div id="facts" class="scroll" tabindex="0" role="region" aria-label=${l10n.t("Facts")}>
			${factList(memory, now, dispatch)}
		</div>
	</section>`;
}

function factList(
	{ facts, text, editing }: ViewState["memory"],
	now: number,
	dispatch: Dispatch,
): TemplateResult {
	const shown = facts?.filter((fact) => fact.text.toLowerCase().includes(text.toLowerCase()));
	const none = facts?.length
		? l10n.t("No fact contains “{0}”.", text)
		: l10n.t(
				"Nothing is remembered yet. Write “@copilot-ld /remember” followed by what every chat should know.",
			);
	const toItem = (fact: Fact) => {
		const words =
			fact.id === editing ? editField(fact, dispatch) : html`<span class="words">${fact.text}</span>`;
		return factItem(fact, words, now, dispatch);
	};
	return itemList(shown, none, toItem, ({ id }) => id);
}

const SCOPES: Record<FactScope, { readonly label: string; readonly icon: string }> = {
	session: { label: l10n.t("One session"), icon: "comment-discussion" },
	workspace: { label: l10n.t("Workspace"), icon: "folder" },
	user: { label: l10n.t("Everywhere"), icon: "account" },
};

function factItem(fact: Fact, words: TemplateResult, now: number, dispatch: Dispatch): TemplateResult {
	const { id, scope, updatedAt } = fact;
	const forget = () => dispatch(wanted({ kind: "forgetFact", fact: id }));
	return item(
		SCOPES[scope].icon,
		html`${words}
			<span class="dim" title=${exactTime(updatedAt)}>${factDetails(fact, now)}</span>
			${sourceLink(fact, dispatch)}`,
		html`${action("edit", l10n.t("Edit"), () => dispatch(beginEdit(id)), `edit-${id}`)}
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
	return html`<span
		><button type="button" role="link" class="link" @click=${open}>${l10n.t("Show Session")}</button></span
	>`;
}

/** Enter keeps what is written, Escape does not. */
function editField({ text }: Fact, dispatch: Dispatch): TemplateResult {
	return html`<vscode-textarea
		id="edit"
		.label=${l10n.t("Fact")}
		.value=${text}
		rows="4"
		maxlength="2000"
		@keydown=${(event: KeyboardEvent) => {
			if (event.key === "Escape") dispatch(endEdit());
			else if (event.key === "Enter" && !event.shiftKey) dispatch(endEdit(textOf(event)));
			else return;
			event.preventDefault();
		}}
	></vscode-textarea>`;
}

function beginEdit(editing: string): Action {
	return (state) => focusing("edit", withMemory(state, { editing }));
}

/** Without a text if it was cancelled. */
function endEdit(text?: string): Action {
	return (state) => {
		const { editing, facts } = state.memory;
		const wanted = text?.trim();
		const isNew = editing && wanted && wanted !== facts?.find(({ id }) => id === editing)?.text;
		const requests: ViewRequest[] = isNew ? [{ kind: "editFact", fact: editing, text: wanted }] : [];
		const step = stay(withMemory(state, { editing: undefined }), ...requests);
		return editing ? { ...step, focus: `edit-${editing}` } : step;
	};
}

export function withMemory(state: ViewState, part: Partial<ViewState["memory"]>): ViewState {
	return { ...state, memory: { ...state.memory, ...part } };
}
