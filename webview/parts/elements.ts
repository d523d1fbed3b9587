import { html, nothing, type TemplateResult } from "lit";

/** A codicon. It says nothing to screen readers: the control around it has a name. */
export function icon(name: string): TemplateResult {
	return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

export interface ActionOptions {
	readonly icon: string;
	readonly label: string;
	readonly run: (event: Event) => void;
	/** Id of an element that can be focused. */
	readonly id?: string;
}

export function action({ icon: name, label, run, id = "" }: ActionOptions): TemplateResult {
	return html`<button type="button" class="action" id=${id} title=${label} aria-label=${label} @click=${run}>
		${icon(name)}
	</button>`;
}

export function emptyNote(text: string): TemplateResult {
	return html`<p class="empty">${text}</p>`;
}

export function loadingNote(): TemplateResult {
	return html`<p class="empty" role="status"><vscode-progress-ring aria-label=${l10n.t("Loading")}></vscode-progress-ring></p>`;
}

export function textOf(event: Event): string {
	return (event.currentTarget as HTMLInputElement).value;
}

interface Choice {
	readonly value: string;
	readonly label: string;
}

export interface ChooserOptions {
	readonly id: string;
	readonly label: string;
	readonly value: string;
	readonly choices: readonly Choice[];
	readonly chosen: (value: string) => void;
}

/** A drop-down under its label. Its name includes the choice, because the component exposes only the name to screen readers. */
export function chooser({ id, label, value, choices, chosen }: ChooserOptions): TemplateResult {
	const current = choices.find((choice) => choice.value === value)?.label ?? "";
	return html`<div class="chooser"><span class="dim" aria-hidden="true">${label}</span><vscode-single-select
		id=${id}
		.label=${`${label}: ${current}`}
		.value=${value}
		title=${label}
		@change=${(event: Event) => chosen(textOf(event))}
	>
		${choices.map(
			(choice) =>
				html`<vscode-option value=${choice.value} ?selected=${choice.value === value}>
					${choice.label}
				</vscode-option>`,
		)}
	</vscode-single-select></div>`;
}

/** Data that the host has put into the page: the language of the window, and its translations if any. */
const page = globalThis.document?.documentElement;
const bundle: Readonly<Record<string, string>> = JSON.parse(page?.dataset["l10n"] ?? "{}");

const language = page?.lang || "en";

const RELATIVE = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "narrow" });
const EXACT = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const COMPACT = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });

const MINUTE = 60_000;
/** From the longest to the shortest, in milliseconds. */
const UNITS = [
	["year", 365 * 24 * 60 * MINUTE],
	["month", 30 * 24 * 60 * MINUTE],
	["week", 7 * 24 * 60 * MINUTE],
	["day", 24 * 60 * MINUTE],
	["hour", 60 * MINUTE],
	["minute", MINUTE],
] as const;

/** How long ago something was, in a few letters. Both are milliseconds since 1970. */
export function timeAgo(at: number, now: number): string {
	const passed = Math.max(0, now - at);
	const unit = UNITS.find(([, length]) => passed >= length);
	return unit ? RELATIVE.format(-Math.floor(passed / unit[1]), unit[0]) : l10n.t("now");
}

export function duration(milliseconds: number): string {
	const seconds = Math.max(0, Math.floor(milliseconds / 1000));
	const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
	if (hours > 0) return l10n.t("{0}h {1}m", hours, minutes);
	return minutes > 0 ? l10n.t("{0}m {1}s", minutes, seconds % 60) : l10n.t("{0}s", seconds);
}

export function exactTime(at: number): string {
	return EXACT.format(at);
}

export function compactNumber(value: number): string {
	return COMPACT.format(value);
}

export function numeral(value: number): string {
	return value.toLocaleString(language);
}

/** `1 session`, `3 sessions`. */
export const amounts = {
	links: (value: number) => (value === 1 ? l10n.t("1 link") : l10n.t("{0} links", numeral(value))),
	sessions: (value: number) => (value === 1 ? l10n.t("1 session") : l10n.t("{0} sessions", numeral(value))),
	things: (value: number) => (value === 1 ? l10n.t("1 thing") : l10n.t("{0} things", numeral(value))),
	turns: (value: number) => (value === 1 ? l10n.t("1 turn") : l10n.t("{0} turns", numeral(value))),
};

/** The last segment of a path or a URI, decoded. */
export function baseName(path: string): string {
	const name = path.replace(/\/+$/, "").split("/").at(-1) ?? path;
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

export interface SearchFieldOptions {
	readonly id: string;
	readonly label: string;
	readonly text: string;
	readonly searched: (text: string) => void;
}

/** Milliseconds after the last letter. */
const PAUSE = 200;
const debounce = createDebounce(PAUSE);

/** A field that searches when the user pauses, or presses Enter. Escape empties it. */
export function searchField({ id, label, text, searched }: SearchFieldOptions): TemplateResult {
	const clear = () => {
		debounce.cancel();
		searched("");
	};
	return html`<vscode-textfield
		id=${id}
		class="grow"
		.label=${label}
		placeholder=${label}
		.value=${text}
		@input=${(event: Event) => {
			const typed = textOf(event);
			debounce.run(() => searched(typed.trim()));
		}}
		@keydown=${(event: KeyboardEvent) => {
			if (event.key === "Escape" && textOf(event) !== "") clear();
			else if (event.key === "Enter") debounce.flush();
			else return;
			event.preventDefault();
		}}
	>
		<span slot="content-before" class="codicon codicon-search" aria-hidden="true"></span>
		${
			text === ""
				? nothing
				: html`<button slot="content-after" type="button" class="action" title=${l10n.t("Clear")} aria-label=${l10n.t("Clear")} @click=${clear}>
						${icon("close")}
					</button>`
		}
	</vscode-textfield>`;
}

export function createDebounce(milliseconds: number) {
	let waiting: { readonly timer: ReturnType<typeof setTimeout>; readonly action: () => void } | undefined;
	const take = () => {
		const taken = waiting;
		if (taken) clearTimeout(taken.timer);
		waiting = undefined;
		return taken;
	};
	return {
		run: (action: () => void) => {
			take();
			waiting = { timer: setTimeout(() => take()?.action(), milliseconds), action };
		},
		flush: () => take()?.action(),
		cancel: take,
	};
}

/** The translation of a text that contains placeholders. */
export function translationOf(text: string): string {
	return bundle[text] ?? text;
}

export const l10n = {
	/** As `vscode.l10n.t`: the translation of a text, with values in place of `{0}`, `{1}`, …. */
	t: (text: string, ...values: readonly (string | number)[]) =>
		translationOf(text).replaceAll(/\{(\d+)\}/g, (_, at) => `${values[Number(at)] ?? ""}`),
};
