import { numberOf, quantitiesIn } from "../../../base/quantities/quantities.ts";
import { WORD } from "../../../base/words/wordList.ts";

/** Patterns with an equivalent wording that `Form`s understand. */
const SAME: readonly (readonly [said: RegExp, same: string])[] = [
	[/\b(what|who|where|which)(?:['’]s|s)\b/gi, "$1 is"],
	[
		/^what (?:is|are|remains) (?:still |yet )?(?:(?:open|left|outstanding|remaining) )?(?:on (?:the|my|our) )?to(?:-| )?(?:do|be done)(?: list)?(?=\W*$)/iu,
		"what is to do",
	],
	[
		/^was (?:ist|bleibt|muss) (?:noch )?(?:zu tun|zu erledigen|erledigt werden|offen auf der to-?do-?liste)(?=\W*$)/iu,
		"what is to do",
	],
	[/\b(are|is|was|were|do|does|did|has|have|had)n['’]?t\b/gi, "$1 not"],
	[/\b(do|did) (we|you|they|i) (?:own|got|keep)\b/gi, "$1 $2 have"],
	[/^(?:(?:which|what) are )?(\p{Lu}[\p{L}.-]*(?: \p{Lu}[\p{L}.-]*)*)['’]s? (\p{Ll}+s)(?=\W*$)/u, "$2 of $1"],
	[
		/^how many times (?:was|were|(?:has|have|had)(?= .+ been )) (.+?)(?: been)? (\p{L}+ed)(?!\p{L})/iu,
		"how many $2 $1",
	],
	[/^(?:liste|zähle?)(?: mir| uns)? (.+) auf(?=\W*$)/iu, "nenne $1"],
	[/\btop (\d+) (.+) by (\p{L}+)(?=\W*$)/giu, "$2 with the $1 highest $3"],
	[/\btop (?=\d+ (?:\p{L}+est|most|least)\b)/giu, ""],
	[/\bfrom (?=(?:19|20)\d\d\W*$)/giu, "in "],
	[/\bneither (.+?) nor\b/gi, "not $1 or"],
	[/(?<!\p{L})weder (.+?) noch(?!\p{L})/giu, "nicht $1 oder"],
	[/\b(?:less|fewer|lower|smaller) than (?=(?:the|their|its|our)\b)/gi, "below "],
	[/\b(?:more|greater|higher) than (?=(?:the|their|its|our)\b)/gi, "above "],
];

const LIST = "\\p{L}*(?:list|table|file|sheet|log|register|plan|schedule|liste|tabelle|datei)(?!\\p{L})";

/** Phrases that do not change the question: "please", "right now", "overall", "according to the list". */
const IDLE = new RegExp(
	[
		"[, ]*(?<!\\p{L})(?:please|thanks|thank you|right now|at the moment|at present|so far|these days|overall|altogether|in total|all in all)\\b",
		// "Gerade" also means "even", so it needs a word after it.
		"[, ]*(?<!\\p{L})(?:bitte|insgesamt|derzeit|momentan|zurzeit|im moment|eigentlich|(?:aktuell|gerade)(?= \\p{L}))(?!\\p{L})",
		"(?<= (?:are|is|were|was)) in (?:the|this|these|our) (?:data|dataset|folder|files|documents|notes|knowledge base)(?=\\W*$)",
		"(?<= (?:sind|ist|waren|war)) in (?:den|diesen|unseren|dem|diesem) (?:Daten|Datensatz|Ordner|Dateien|Dokumenten|Notizen)(?=\\W*$)",
		`[, ]*(?:\\bacc(?:\\.|ording)? to|\\bas per|(?<!\\p{L})laut) (?:the |our |der |dem |unsere[rm] )?(?:(?:[\\p{L}\\p{N}-]+ )?${LIST}|(?<=the |our )\\p{L}+s(?!\\p{L})|[\\p{L}\\p{N}_/-]+\\.\\p{L}+),?`,
	].join("|"),
	"giu",
);

/** Rewrites a question in words that are understood, without phrases that have no effect. */
export function plainlyAsked(question: string): string {
	const said = SAME.reduce((text, [pattern, same]) => text.replace(pattern, same), question);
	return said.replace(IDLE, "").trim();
}

/** Range of number words that are rewritten as digits: "a clutch of five", "less than five days". */
const FEWEST = 2;
const MOST = 12;
const ORDINAL = /^(?:second|third|\p{L}+th|\p{L}{3,}te[nrs]?)$/iu;

export function withDigits(question: string): string {
	const words = question.toLowerCase().match(WORD) ?? [];
	if (!words.some((word) => numberOf(word) !== undefined)) return question;
	return quantitiesIn(question).reduceRight((text, { offset, written, values: [value = 0] }) => {
		const [word = ""] = /^\p{L}+(?=$| \p{L}+$)/u.exec(written) ?? [];
		if (word === "" || ORDINAL.test(word)) return text;
		if (!Number.isInteger(value) || value < FEWEST || value > MOST) return text;
		return text.slice(0, offset) + value + text.slice(offset + word.length);
	}, question);
}
