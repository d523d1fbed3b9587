import { countWords } from "../base/words/wordList.ts";
import type { FoundSection, ReadSection } from "./sections.ts";

type Led = Pick<ReadSection, "section" | "intro">;

/** Words of a line that only leads to what follows, and of one with a colon or a question mark at its end. */
const MOST_WORDS = 8;
const MOST_BEFORE_COLON = 25;

const ADDRESS = /\b(?:https?|ftp|mailto):\S+/g;

/** All sections that say something. Those that only lead to the next one are before that. */
export function withIntros(sections: readonly FoundSection[]): Led[] {
	const led: Led[] = [];
	let intro: FoundSection | undefined;
	const telling = sections.filter(({ text }) => /[\p{L}\p{N}]/u.test(text.replace(ADDRESS, "")));
	for (const [index, section] of telling.entries()) {
		const isIntro = intro === undefined && leadsTo(section, telling[index + 1]);
		if (!isIntro) led.push({ section, ...(intro && { intro }) });
		intro = isIntro ? section : undefined;
	}
	return led;
}

/** Whether it is a question, or a short line with a colon at its end or without any mark, above more text under the same heading. */
function leadsTo({ text, form, uri, title, lines }: FoundSection, next: FoundSection | undefined): boolean {
	const isAbove = next?.uri === uri && next.title === title && next.lines.start > lines.end;
	if (!isAbove || (form !== "prose" && form !== "lines") || text.includes("\n")) return false;
	const words = countWords(text);
	if (/[:：?？]\s*$/.test(text)) return words <= MOST_BEFORE_COLON;
	return words <= MOST_WORDS && words < countWords(next.text) && !/[.!?…)"”]\s*$/.test(text);
}
