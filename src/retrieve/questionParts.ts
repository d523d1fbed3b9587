import { wordList } from "../base/words/wordList.ts";
import { phrasesIn } from "../search/phrases.ts";

const MOST_PARTS = 6;

const FEWEST_TERMS_OF_PART = 2;

/** End of a sentence or of text before a colon, but not after an initial or before a lowercase letter. */
const BETWEEN =
	/(?<=[?!;:])\s+|(?<=[。？！；：])|(?<=(?<!(?:^|[^\p{L}])\p{L}{1,2})\.)\s+(?=\p{Lu}|\P{Script=Latin}\p{L})/u;

const COMMA = /(,+\s+|[、，])/u;

const JOINING = /(\s+(?:and|und|et|y|и|och|oraz|và|as well as|versus|vs\.?)\s+)/iu;

const JOINER = /^(?:and|or|also|then|but|so|und|et|y|и|och|oraz|và)\s+/iu;

/** Beginning of a clause that is a complete request. */
const REQUEST = new RegExp(
	`^(?:wh(?:en|ere)\\s(?:is|are|was|were|do|does|did|can|could|should|will|would|must|has|have)|${wordList(`
		what which who whom whose why how whether is are was were do does did can could should will would may must
		has have give list name compare tell show explain describe find summarize summarise count
		wer wen wem wessen was wo wann warum wie wieso welche welcher welches welchen ob nenne
		qui quel quelle quels quelles où quand comment pourquoi combien qué quién quiénes cuál cuáles cuándo dónde cómo cuánto
		cuántos chi cosa quale quali quando dove quanto quanti quem quais qual onde wat welke waar wanneer waarom hoe
		kto co jak gdzie kiedy dlaczego ile кто что как где когда почему сколько какой какая какие хто що де коли чому
		kdo kde kdy proč kolik vem vad vilken vilka hur när varför`).join("|")})(?!\\p{L})`,
	"iu",
);

/** Prepositions of a part that omits the shared beginning, as "of B" in "the limits of A and of B". */
const SHARED = /^(of|for|in|on|from|with|by|at|between)\s/i;

const FEWEST_LISTED_REQUESTS = 3;

/** Pronouns that refer to an earlier sentence. "IT" in capitals is not a pronoun. */
const PRONOUN = /\b(?:[Ii]ts?|[Tt]hey|[Tt]hem|[Tt]heirs?|[Tt]his|[Tt]hese|[Tt]hose)\b/;

/** The parts of a query that asks for several things; empty if the query asks for one thing. */
export function partsIn(query: string, termsOf: (text: string) => readonly string[]): string[] {
	if (phrasesIn(query).length > 0) return [];
	const sentences = query.split(BETWEEN).map((sentence) => sentence.trim());
	const asking = asksIn(sentences);
	const told = sentences.filter((sentence) => !asking.includes(sentence)).join(" ");
	const clauses = asking.map((sentence) => sentence.replace(/[\s.?!;。？！；]+$/u, "")).flatMap(clausesIn);
	// Most queries have one clause: skips the slower count of terms.
	if (clauses.length < 2) return [];
	const parts = clauses
		.map((part) => (PRONOUN.test(part) ? `${told} ${part}`.trim() : part))
		.filter((part) => new Set(termsOf(part)).size >= FEWEST_TERMS_OF_PART);
	return parts.length < 2 ? [] : parts.slice(0, MOST_PARTS);
}

/** The sentences that are requests: not text before a colon, nor statements beside a question. */
function asksIn(sentences: readonly string[]): string[] {
	const hasQuestion = sentences.some((sentence) => /[?？]$/u.test(sentence));
	return sentences.filter((sentence) => {
		if (/[:：]$/u.test(sentence)) return false;
		return !hasQuestion || !sentence.endsWith(".") || REQUEST.test(sentence);
	});
}

/**
 * Splits a sentence at commas and "and" between requests or items. Every clause repeats the text before the first
 * request.
 */
function clausesIn(sentence: string): string[] {
	const pieces = sentence.split(COMMA);
	const isList = isListed(pieces.filter((_, index) => index % 2 === 0));
	const items = joinedUp(pieces, (_, item, mark) => isList || REQUEST.test(item) || !/\s/.test(mark));
	const clauses = items.flatMap((item) =>
		joinedUp(
			item.split(JOINING),
			(before, next, mark) =>
				/v(?:ersu)?s/i.test(mark) || REQUEST.test(next) || sharedHead(before, next) !== "",
		),
	);
	const first = Math.max(
		0,
		clauses.findIndex((clause) => REQUEST.test(clause)),
	);
	const about = clauses.slice(0, first);
	const asked = clauses.slice(first);
	return asked.map((clause, index) =>
		[...about, sharedHead(asked[index - 1] ?? "", clause) + clause].join(", "),
	);
}

/** Whether items have several words, as in "do this, do that, and do the other", unlike a list of single words. */
function isListed(items: readonly string[]): boolean {
	if (items.length < FEWEST_LISTED_REQUESTS || !JOINER.test(items.at(-1) ?? "")) return false;
	return items.every((item) => /\S\s+\S/.test(item.replace(JOINER, "")));
}

/** Joins pieces and separators again, except at separators for which `parts` returns true. */
function joinedUp(
	[first = "", ...rest]: readonly string[],
	parts: (before: string, next: string, mark: string) => boolean,
): string[] {
	const joined = [first];
	for (let index = 0; index + 1 < rest.length; index += 2) {
		const [mark = "", piece = ""] = rest.slice(index, index + 2);
		const before = joined.at(-1) ?? "";
		const next = piece.replace(JOINER, "");
		if (parts(before, next, mark)) joined.push(next);
		else joined.splice(-1, 1, `${before}${mark}${piece}`);
	}
	return joined;
}

/** The beginning that a part omits: the text of the previous part before the preposition. */
function sharedHead(before: string, part: string): string {
	const [, preposition = ""] = SHARED.exec(part) ?? [];
	const at = preposition === "" ? -1 : before.toLowerCase().indexOf(` ${preposition.toLowerCase()} `);
	return at < 0 ? "" : before.slice(0, at + 1);
}
