import { html, type TemplateResult } from "lit";
import type { SessionSummary } from "../../src/core/session/session.ts";
import { type Dispatch, type ViewEvent, wanted } from "../model/event.ts";
import type { Menu } from "../model/state.ts";
import { l10n } from "../parts/l10n.ts";

interface MenuItem {
	readonly label: string;
	readonly key?: string;
	readonly event: ViewEvent;
}

export function sessionMenu({ session }: Menu, dispatch: Dispatch): TemplateResult {
	const close = () => dispatch({ kind: "menuClosed" });
	return html`<div
		id="menu"
		class="menu"
		role="menu"
		aria-label=${l10n.t("Actions for {0}", session.title)}
		@keydown=${(event: KeyboardEvent) => onMenuKey(event, close)}
		@focusout=${(event: FocusEvent) => leave(event, () => dispatch({ kind: "menuClosed", left: true }))}
	>
		${groupsFor(session).map(
			(items) =>
				html`<div role="group" class="group">${items.map((item) => menuButton(item, dispatch))}</div>`,
		)}
	</div>`;
}

function menuButton({ label, key, event }: MenuItem, dispatch: Dispatch): TemplateResult {
	return html`<button type="button" role="menuitem" tabindex="-1" @click=${() => dispatch(event)}>
		<span class="grow">${label}</span><span class="key" aria-hidden="true">${key ?? ""}</span>
	</button>`;
}

/** More turns than a session has. */
const ALL = Number.MAX_SAFE_INTEGER;

function groupsFor({ id: session, engine, turns, archived }: SessionSummary): MenuItem[][] {
	// A session that only the CLI has has no turn count and cannot be archived.
	const isOnlyOfCli = engine === "cli" && turns === 0;
	const archive: MenuItem = {
		label: archived ? l10n.t("Unarchive") : l10n.t("Archive"),
		event: wanted({ kind: "archiveSession", session, archived: !archived }),
	};
	return [
		[
			{ label: l10n.t("Open"), key: "Enter", event: { kind: "sessionOpened", session } },
			{ label: l10n.t("Resume in Chat"), event: wanted({ kind: "resumeSession", session }) },
			{
				label: l10n.t("Fork"),
				event: wanted({ kind: "forkSession", session, turns: isOnlyOfCli ? ALL : Math.max(1, turns) }),
			},
		],
		[
			{ label: l10n.t("Rename…"), key: "F2", event: { kind: "renameBegun", session } },
			{
				label: l10n.t("Export as Markdown…"),
				event: wanted({ kind: "exportSession", session, format: "markdown" }),
			},
			{ label: l10n.t("Export as JSON…"), event: wanted({ kind: "exportSession", session, format: "json" }) },
		],
		[
			...(isOnlyOfCli ? [] : [archive]),
			{ label: l10n.t("Delete"), key: "Del", event: wanted({ kind: "deleteSession", session }) },
		],
	];
}

function onMenuKey(event: KeyboardEvent, close: () => void): void {
	const menu = event.currentTarget as HTMLElement;
	const items = [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
	const at = items.indexOf(document.activeElement as HTMLElement);
	const targets: Record<string, number> = {
		ArrowDown: at + 1,
		ArrowUp: at - 1,
		Home: 0,
		End: items.length - 1,
	};
	const target = targets[event.key];
	if (target !== undefined) items.at(target % items.length)?.focus();
	else if (event.key === "Escape" || event.key === "Tab") close();
	else return;
	event.preventDefault();
	event.stopPropagation();
}

/** Whoever goes elsewhere is done with the menu. */
function leave({ currentTarget, relatedTarget }: FocusEvent, close: () => void): void {
	const isInside = relatedTarget instanceof Element && (currentTarget as Element).contains(relatedTarget);
	if (!isInside) close();
}

export function openMenuAt(element: Element, session: SessionSummary, dispatch: Dispatch): void {
	const { left, right, bottom, width } = element.getBoundingClientRect();
	// Below a button, aligns the right edges; below a row, the left ones.
	dispatch({ kind: "menuOpened", menu: { session, x: width < 40 ? right : left, y: bottom } });
}

export function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
	return key === "ContextMenu" || (key === "F10" && shiftKey);
}
