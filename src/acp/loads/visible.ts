/** Characters that are not seen, or that move others; and letters that stand from right to left. */
const UNSEEN =
	/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u{2800}\u{a0}\u{1680}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/gu;

/** Text of others in one line, in which nothing is hidden: what is not seen is written out. */
export function visible(text: string): string {
	return text
		.replaceAll("\r\n", "\n")
		.replaceAll(UNSEEN, (character) => NAMES[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`)
		.replaceAll(/ {4,}/g, (spaces) => `[${spaces.length} spaces]`);
}

const NAMES: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };
