/** A message with its values kept apart, so that it can be shown in the user's language. */
export interface Phrase {
	/** English, with `{0}`, `{1}` … in place of the values. */
	readonly text: string;
	readonly values: readonly (string | Phrase)[];
}

export function phrase(text: string, ...values: readonly (string | Phrase)[]): Phrase {
	return { text, values };
}

/** As one text. A translation comes from `translate`; without it they are in English. */
export function inWords(what: string | Phrase, translate: (text: string) => string = (text) => text): string {
	if (typeof what === "string") return what;
	const values = what.values.map((value) => inWords(value, translate));
	return translate(what.text).replace(/\{(\d+)\}/g, (_, at) => values[Number(at)] ?? "");
}

export function withValues({ text, values }: Phrase, change: (value: string) => string): Phrase {
	const changed = values.map((one) => (typeof one === "string" ? change(one) : withValues(one, change)));
	return { text, values: changed };
}

export function joined(parts: readonly (string | Phrase)[], between: string): string | Phrase {
	return parts.reduce((before, part) => ({ text: `{0}${between}{1}`, values: [before, part] }));
}
