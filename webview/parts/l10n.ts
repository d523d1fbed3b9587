/** Data that the host has put into the page: the language of the window, and its translations if any. */
const page = globalThis.document?.documentElement;
const bundle: Readonly<Record<string, string>> = JSON.parse(page?.dataset["l10n"] ?? "{}");

const language = page?.lang || "en";

export function translationOf(text: string): string {
	return bundle[text] ?? text;
}

export const l10n = {
	/** Like `vscode.l10n.t`: translates a text, with values in place of `{0}`, `{1}`, …. */
	t: (text: string, ...values: readonly (string | number)[]) =>
		translationOf(text).replaceAll(/\{(\d+)\}/g, (gap, at) => `${values[Number(at)] ?? gap}`),
};

const RELATIVE = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "narrow" });
const EXACT = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const COMPACT = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });

const MINUTE = 60_000;
/** Units from the longest to the shortest, in milliseconds. */
const UNITS = [
	["year", 365 * 24 * 60 * MINUTE],
	["month", 30 * 24 * 60 * MINUTE],
	["week", 7 * 24 * 60 * MINUTE],
	["day", 24 * 60 * MINUTE],
	["hour", 60 * MINUTE],
	["minute", MINUTE],
] as const;

/** Returns the time that has passed, in a few letters. Both times are milliseconds since 1970. */
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

export function counted(one: string, many: string): (count: number) => string {
	return (count) => (count === 1 ? one : many.replace("{0}", numeral(count)));
}

export const amounts = {
	links: counted(l10n.t("1 link"), l10n.t("{0} links")),
	sessions: counted(l10n.t("1 session"), l10n.t("{0} sessions")),
	things: counted(l10n.t("1 thing"), l10n.t("{0} things")),
	turns: counted(l10n.t("1 turn"), l10n.t("{0} turns")),
};
