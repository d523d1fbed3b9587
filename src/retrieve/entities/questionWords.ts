/** Words that a question is made of, whatever it is about: alone they name nothing. */
const FUNCTION_WORDS = new Set(
	`a about all also an and any are as at be been by can could did do does for from get give had has have how
	i if in into is it its list me more most my name no not of on or our out s she he show so some t tell than that the
	their them there these they this those to up us was we were what when where which who whom whose why will with
	would you your many much number count`.split(/\s+/),
);

export function isFunctionWord(word: string): boolean {
	return FUNCTION_WORDS.has(word);
}

/** With an English plural at the end undone: sensor switches, companies. */
export function toSingular(words: readonly string[]): string[] {
	const last = words.at(-1) ?? "";
	const singular = last
		.replace(/(?<=..)ies$/, "y")
		.replace(/(?<=x|ch|sh|ss)es$/, "")
		.replace(/(?<=[^su])s$/, "");
	return [...words.slice(0, -1), singular];
}
