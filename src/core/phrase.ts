/** A message and its values, kept separate for translation. */
export interface Phrase {
	/** English text with `{0}`, `{1}` … for the values. */
	readonly text: string;
	readonly values: readonly (string | Phrase)[];
}

export function phrase(text: string, ...values: readonly (string | Phrase)[]): Phrase {
	return { text, values };
}

/** Formats a phrase, in English unless `translate` is given. */
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
