import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { l10n } from "./l10n.ts";

/** A codicon that is hidden from screen readers, because the control around the icon has a name. */
export function icon(name: string): TemplateResult {
	return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

export const SPINNING = "loading codicon-modifier-spin";

export function action(name: string, label: string, run: (event: Event) => void, id = ""): TemplateResult {
	return html`<button type="button" class="action" id=${id} title=${label} aria-label=${label} @click=${run}>
		${icon(name)}
	</button>`;
}

export function button(words: string, run: () => void): TemplateResult {
	return html`<button type="button" class="button secondary" @click=${run}>${words}</button>`;
}

/** A link within a text. It is a button, because a webview has no addresses. */
export function link(content: unknown, run: () => void, { kind = "link", title = "" } = {}): TemplateResult {
	return html`<button type="button" role="link" class=${kind} title=${title || nothing} @click=${run}>${content}</button>`;
}

/** Opens VS Code's menu below an element, as a right click does. */
export function openMenu({ currentTarget }: Event): void {
	const element = currentTarget as Element;
	const { left, bottom } = element.getBoundingClientRect();
	element.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, clientX: left, clientY: bottom }));
}

export function emptyNote(text: string): TemplateResult {
	return html`<p class="empty">${text}</p>`;
}

export function loadingNote(): TemplateResult {
	return html`<p class="empty" role="status">
		${icon(SPINNING)}<span class="spoken">${l10n.t("Loading")}</span>
	</p>`;
}

export function itemList<Item>(
	items: readonly Item[] | undefined,
	empty: string,
	toItem: (item: Item) => TemplateResult,
	keyOf: (item: Item, index: number) => unknown = (_item, index) => index,
): TemplateResult {
	if (!items) return loadingNote();
	if (items.length === 0) return emptyNote(empty);
	return html`<ul class="items">
		${repeat(items, keyOf, toItem)}
	</ul>`;
}

export function item(name: string, lines: TemplateResult, actions?: TemplateResult): TemplateResult {
	return html`<li class="item">
		${icon(name)}
		<div class="lines">${lines}</div>
		${actions ? html`<div class="actions">${actions}</div>` : nothing}
	</li>`;
}

function textOf(event: Event): string {
	return (event.currentTarget as HTMLInputElement).value;
}

export function choosersOf<Fields>(
	fields: Fields,
	chosen: <Field extends keyof Fields>(field: Field, value: Fields[Field]) => void,
) {
	return <Field extends keyof Fields>(
		field: Field,
		id: string,
		label: string,
		choices: readonly (readonly [value: Fields[Field], label: string])[],
	): TemplateResult => {
		const choose = (event: Event) => {
			const choice = choices[Number(textOf(event))];
			if (choice) chosen(field, choice[0]);
		};
		return html`<div class="chooser"><span class="dim" aria-hidden="true">${label}</span>
			<select id=${id} aria-label=${label} @change=${choose}>
				${choices.map(([value, name], at) => html`<option value=${at} .selected=${value === fields[field]}>${name}</option>`)}
			</select></div>`;
	};
}

/** Moves the focus among matching elements, in a circle. Returns `undefined` for other keys. */
export function focusByKey(
	event: KeyboardEvent,
	selector: string,
	[previous, next]: readonly [previous: string, next: string],
): HTMLElement | undefined {
	const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>(selector)];
	const at = all.indexOf(document.activeElement as HTMLElement);
	const targets: Record<string, number> = { [next]: at + 1, [previous]: at - 1, Home: 0, End: -1 };
	const target = targets[event.key];
	if (target === undefined) return undefined;
	event.preventDefault();
	const element = all.at(target % all.length);
	element?.focus();
	return element;
}

export function baseName(path: string): string {
	const name = path.replace(/\/+$/, "").split("/").at(-1) ?? path;
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

export function searchField(
	id: string,
	label: string,
	text: string,
	searched: (text: string) => void,
): TemplateResult {
	const search = (event: Event) => {
		const typed = textOf(event).trim();
		if (typed !== text) searched(typed);
	};
	return html`<span class="search grow">
		${icon("search")}
		<input id=${id} type="search" incremental aria-label=${label} placeholder=${label} .value=${text} @search=${search} />
	</span>`;
}
