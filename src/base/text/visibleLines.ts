/** Joins or varies an emoji, as people write them. */
const IN_EMOJI =
	/(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\ufe0e\ufe0f]/u;
/**
 * Invisible characters: control, direction, joining and other formatting characters, unusual blanks, private and
 * unassigned ones.
 */
const UNSEEN = /(?![ \n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/u;

const EITHER = new RegExp(`${IN_EMOJI.source}|(${UNSEEN.source})`, "gu");

/** A text in which every character can be seen: line breaks and tabs stay, others that cannot be seen are named, `⟨U+202E⟩`. */
export function visibleLines(text: string): string {
	return text
		.replace(/\r\n?/g, "\n")
		.replace(EITHER, (character, unseen?: string) => (unseen === undefined ? character : nameOf(unseen)));
}

function nameOf(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	if (code === 0xa0 || code === 0x202f) return " ";
	return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
