/** What the host has written onto the page: the language of the window, and its bundle where there is one. */
const page = globalThis.document?.documentElement;
const bundle: Readonly<Record<string, string>> = JSON.parse(page?.dataset["l10n"] ?? "{}");

export const language = page?.lang || "en";

/** Of a text, with the places of its values. */
export function translationOf(text: string): string {
	return bundle[text] ?? text;
}

export const l10n = {
	/** As `vscode.l10n.t`: the translation of a text, with values in place of `{0}`, `{1}`, …. */
	t: (text: string, ...values: readonly (string | number)[]) =>
		translationOf(text).replaceAll(/\{(\d+)\}/g, (_, at) => `${values[Number(at)] ?? ""}`),
};
