import type { Grammar, Question } from "./question/question.ts";
import type { Ranked } from "./rank.ts";
import { type Covered, coverBy, type FoundSection, type Telling } from "./reading.ts";
import { STATEMENT } from "./things.ts";

interface Knowing extends Pick<Grammar, "askedFor"> {
	readonly telling: Telling;
}

/** Whether a section cannot be the answer, although it has words of the question. */
export function isNoAnswer(question: Question, read: Ranked, knowing: Knowing): boolean {
	const text = `${read.section.title}\n${read.section.text}`;
	// A section that ends in a question does not answer one.
	const rest = read.section.text.slice(read.best.from).replace(LINK_TARGET, "]").trim();
	const onlyAsks = /\?["”»)\]*_]*\.?$/.test(rest);
	const lacksSign = (question.asked.match(SIGN) ?? []).some((sign) => !text.includes(sign));
	const lacksDenial = ASKS_WITHOUT.test(question.asked) && !DENYING.test(text);
	const lacksCount = lacksSign || !isCounted(question, read.section.text);
	return onlyAsks || lacksCount || lacksDenial || lacksWord(question, read, knowing);
}

/** Questions that ask for a number and restrict the noun in no way: "How many companies are there?" */
const COUNTING =
	/^(?:how many|wie ?viele|combien (?:de |d['’]|y a-t-il (?:de |d['’])))\s*(?<noun>\p{L}{3,})(?: (?:are|is|were) there| gibt es| y a-t-il)?[\s?]*$/iu;

/** Whether a text has a number near the noun of a counting question (`COUNTING`); true for any other question. */
function isCounted({ asked, expects }: Question, text: string): boolean {
	const { noun } = COUNTING.exec(asked.trim())?.groups ?? {};
	if (noun === undefined) return true;
	const before = "(?:\\S{1,30}\\s{1,3}){0,3}";
	const behind =
		'(?:[\\s*_"]{0,4}[:=(|–-]|\\s(?:is|are|was|were|ist|sind|est|sont)\\s)(?:\\s{0,3}\\S{1,30}){0,3}';
	const near = new RegExp(`${before}${noun.slice(0, -1)}\\p{L}{0,30}(?:${behind})?`, "giu");
	return (text.match(near) ?? []).some((words) => expects?.(words));
}

const LINK_TARGET = /\]\([^()\s]*\)/g;

/** Signs that the question asks about, such as `@` in "What does @ before a line do?" */
const SIGN =
	/(?<=\s(?:do|does|the|an?|of|with|is|means?|use|using|between|sign|symbol|operator|character|das|der|ein|ist|bedeutet|macht)\s)[^\p{L}\p{N}\s?!.,;:'"“”„«»()/+%\p{Sc}\p{Pd}]{1,4}(?=\s)/giu;

/** Questions such as "Which subprojects have no council?" A text without a denial may say the opposite. */
const ASKS_WITHOUT =
	/^(?:\p{L}{2,5} )?(?:which|who|what|how many|welche\p{L}*|wer|was|wie viele|qui|quel\p{L}*)(?!\p{L}).*(?<!\p{L})(?:no(?= \p{L})(?! (?:of|for|is|was)\b)|not|\p{L}+n['’]t|without|never|nicht|kein\p{L}*|ohne|nie|pas|sans|aucun\p{L}*)(?!\p{L})/iu;

const DENYING =
	/(?<!\p{L})(?:no|not|non|none|nor|never|nobody|nothing|neither|without|\p{L}+n['’]t|cannot|un\p{L}{3,}|(?:except|exclu|lack|miss|avoid|forb|prohibit|absen|apolog|declin|refus|reject|fail|clos|remov|drop|deprecat|discontinu|former)\p{L}*|only|out|ex|nicht|kein\p{L}*|ohne|nie|weder|nur|außer|(?:fehl|verb[io]t|entschuldigt)\p{L}*|pas|sans|aucun\p{L}*|jamais|sauf)(?!\p{L})|\[ \]|[✗✘❌☐]/iu;

/** Whether a necessary word is missing: a record with a date of birth does not answer "When did Nils die?" */
function lacksWord(question: Question, read: Ranked, { telling, askedFor }: Knowing): boolean {
	const { words: own, names, defines, kinds } = question;
	const { best, context, words, section } = read;
	const others = coverBy(read, question, telling).filter(
		({ stem, weight }) => weight > 0 && own.has(stem) && !names.has(stem),
	);
	const isOfFields = areFields(section);
	const isNamed = !names.isDisjointFrom(context) || (isOfFields && !names.isDisjointFrom(words));
	if (defines || others.length === 0 || !isNamed) return false;
	const isMissing = ({ stem, near }: Covered) =>
		near === 0 && !askedFor(stem).some((other) => words.has(other));
	if (section.form !== "record" && !isOfFields) return others.length > 1 && others.every(isMissing);
	// Any property named as a price answers "how much", but not every property named as a date answers "when".
	const { name = "" } = STATEMENT.exec(section.text.slice(best.from, best.to).trim())?.groups ?? {};
	const isAsked = !kinds.has("date") && !kinds.isDisjointFrom(telling.language.telling(name));
	return !isAsked && others.some(isMissing);
}

const FIELD = /^(?:"[^"]{1,80}": .+|[{}[\]],?)$/;

function areFields({ form, text }: FoundSection): boolean {
	const isField = (line: string) => STATEMENT.test(line.trim()) || FIELD.test(line.trim());
	return form === "lines" && text.split("\n").every(isField);
}
