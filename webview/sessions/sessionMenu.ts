import { html, type TemplateResult } from "lit";
import type { SessionSummary } from "../../src/core/session/session.ts";
import { type Action, type Dispatch, type Menu, wanted } from "../model/state.ts";
import { focusByKey } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { closeMenu, leaveMenu, openMenu, openSession, rename } from "./sessionActions.ts";

interface MenuItem {
	readonly label: string;
	readonly key?: string;
	readonly action: Action;
}

export function sessionMenu({ session }: Menu, dispatch: Dispatch): TemplateResult {
	return html`<div
		id="menu"
		class="menu"
		role="menu"
		aria-label=${l10n.t("Actions for {0}", session.title)}
		@keydown=${(event: KeyboardEvent) => onMenuKey(event, dispatch)}
		@focusout=${(event: FocusEvent) => onLeave(event, dispatch)}
	>
		${groupsFor(session).map(
			(items) =>
				html`<div role="group" class="group">${items.map((item) => menuButton(item, dispatch))}</div>`,
		)}
	</div>`;
}

function menuButton({ label, key, action }: MenuItem, dispatch: Dispatch): TemplateResult {
	return html`<button type="button" role="menuitem" tabindex="-1" @click=${() => dispatch(action)}>
		<span class="grow">${label}</span><span class="key" aria-hidden="true">${key ?? ""}</span>
	</button>`;
}

/** More turns than a session has. */
const ALL = Number.MAX_SAFE_INTEGER;

function groupsFor(of: SessionSummary): MenuItem[][] {
	const { id: session, engine, turns, archived } = of;
	// A session that only the CLI has has no turn count and cannot be archived.
	const isOnlyOfCli = engine === "cli" && turns === 0;
	const fork = { kind: "forkSession", session, turns: isOnlyOfCli ? ALL : Math.max(1, turns) } as const;
	const exporting = (format: "markdown" | "json") => wanted({ kind: "exportSession", session, format });
	const archive: MenuItem = {
		label: archived ? l10n.t("Unarchive") : l10n.t("Archive"),
		action: wanted({ kind: "archiveSession", session, archived: !archived }),
	};
	return [
		[
			{ label: l10n.t("Open"), key: "Enter", action: (state) => openSession(state, session) },
			{ label: l10n.t("Resume in Chat"), action: wanted({ kind: "resumeSession", session }) },
			{ label: l10n.t("Fork"), action: wanted(fork) },
		],
		[
			{ label: l10n.t("Rename…"), key: "F2", action: rename(of) },
			{ label: l10n.t("Export as Markdown…"), action: exporting("markdown") },
			{ label: l10n.t("Export as JSON…"), action: exporting("json") },
		],
		[
			...(isOnlyOfCli ? [] : [archive]),
			{ label: l10n.t("Delete"), key: "Del", action: wanted({ kind: "deleteSession", session }) },
		],
	];
}

function onMenuKey(event: KeyboardEvent, dispatch: Dispatch): void {
	if (event.key === "Escape" || event.key === "Tab") dispatch(closeMenu);
	else if (!focusByKey(event, "[role=menuitem]", ["ArrowUp", "ArrowDown"])) return;
	event.preventDefault();
	event.stopPropagation();
}

function onLeave({ currentTarget, relatedTarget }: FocusEvent, dispatch: Dispatch): void {
	const isInside = relatedTarget instanceof Element && (currentTarget as Element).contains(relatedTarget);
	if (!isInside) dispatch(leaveMenu);
}

export function openMenuAt(element: Element, session: SessionSummary, dispatch: Dispatch): void {
	const { left, right, bottom, width } = element.getBoundingClientRect();
	// Below a button, aligns the right edges; below a row, the left ones.
	dispatch(openMenu({ session, x: width < 40 ? right : left, y: bottom }));
}

export function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
	return key === "ContextMenu" || (key === "F10" && shiftKey);
}
