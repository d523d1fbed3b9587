import { languageOf } from "../../base/language/detect.ts";
import { FUNCTION_WORDS } from "../../base/language/functionWords.ts";
import type { DraftPart } from "./draftPart.ts";
import { createNames } from "./names.ts";

/** Words in quotation marks, names of several words but for the first word of all, numbers, and words. */
const PARTS =
	/(?<=["“„])[^"“”„]+(?=["“”])|(?<!^)\p{Lu}[\p{L}\p{N}'-]*(?:\s+\p{Lu}[\p{L}\p{N}'-]*)+|\d+(?:\.\d+)?|[\p{L}][\p{L}\p{N}'-]{3,}/gu;

/** The words of a question or a search that may change from call to call, but none of grammar; of a search also all of it. */
export function partsOfText(text: string, kind: "retrieval" | "prompt"): DraftPart[] {
	const unique = createNames();
	const whole: DraftPart[] =
		kind === "retrieval"
			? [
					{
						...{ name: unique("words"), type: "string", value: text },
						start: 0,
						end: text.length,
						isLikely: true,
					},
				]
			: [];
	const grammar = FUNCTION_WORDS[languageOf(text) ?? "en"];
	const parts = [...text.matchAll(PARTS)].flatMap(({ 0: value, index }): DraftPart[] => {
		const found = judge(value, text.slice(0, index));
		if (!found.isNamed && grammar.has(value.toLowerCase())) return [];
		const at = { value, start: index, end: index + value.length };
		const isLikely = kind === "prompt" && found.isNamed;
		return [{ ...at, type: found.type, name: unique(found.name), isLikely }];
	});
	return [...whole, ...parts];
}

interface Judged extends Pick<DraftPart, "type" | "name"> {
	/** Whether it names something, and is not just a word. */
	readonly isNamed: boolean;
}

function judge(value: string, before: string): Judged {
	if (/^\d+$/.test(value)) return { type: "int", name: "number", isNamed: true };
	if (/^\d/.test(value)) return { type: "float", name: "number", isNamed: true };
	const isName = /["“„]$/.test(before) || (before !== "" && /^\p{Lu}/u.test(value));
	if (isName) return { type: "string", name: "name", isNamed: true };
	const word = value.toLowerCase().replace(/[^a-z0-9]/g, "");
	return { type: "string", name: /^[a-z]/.test(word) ? word.slice(0, 30) : "name", isNamed: false };
}
