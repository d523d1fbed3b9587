import { VALUED } from "./programs.ts";

/** The words of a command; `undefined` is one that only the shell knows. */
export type Words = readonly (string | undefined)[];

/** The name of a program without its folder, as it is written in any case. */
export function programOf(word: string): string {
	return word
		.replace(/^.*[/\\]/s, "")
		.replace(/\.(?:exe|cmd|bat|ps1|com)$/i, "")
		.toLowerCase();
}

export function isOptionWord(word: string | undefined): boolean {
	return word !== undefined && /^-./.test(word) && word !== "--";
}

/** The words after a program without options, and without the values of options before its subcommand. */
export function operandsOf(program: string, words: Words): Words {
	const valued = VALUED[program] ?? [];
	const operands: (string | undefined)[] = [];
	for (let at = 1; at < words.length; at++) {
		const word = words[at];
		if (word !== undefined && operands.length === 0 && valued.includes(word)) at++;
		else if (!isOptionWord(word) && word !== "--") operands.push(word);
	}
	return operands;
}
