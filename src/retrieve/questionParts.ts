import { wordList } from "../base/words/wordList.ts";
import { phrasesIn } from "../search/phrases.ts";

/** Maximum number of parts of a query that are searched separately. */
const MOST_PARTS = 6;

/** Minimum terms of a part to be searched separately. */
const FEWEST_TERMS = 2;

/** Boundary of sentences, also after a colon; not after an initial, or before a lowercase letter. */
const BETWEEN =
	/(?<=[?!;:])\s+|(?<=[。？！；：])|(?<=(?<!(?:^|[^\p{L}])\p{L}{1,2})\.)\s+(?=\p{Lu}|\P{Script=Latin}\p{L})/u;

const COMMA = /(,+\s+|[、，])/u;

/** Words that join two clauses, in several languages. */
const JOINING = /(\s+(?:and|und|et|y|и|och|oraz|và|as well as|versus|vs\.?)\s+)/iu;

const JOINER = /^(?:and|or|also|then|but|so|und|et|y|и|och|oraz|và)\s+/iu;

/** Beginning of a clause that is a request by itself. */
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

/** "The limits of A and of B": prepositions of a part that omits the shared beginning. */
const SHARED = /^(of|for|in|on|from|with|by|at|between)\s/i;

/** Minimum number of items for a comma-separated list of requests. */
const FEWEST_LISTED = 3;

/** Pronouns for something named before. `IT` is not a pronoun. */
const PRONOUN = /\b(?:[Ii]ts?|[Tt]hey|[Tt]hem|[Tt]heirs?|[Tt]his|[Tt]hese|[Tt]hose)\b/;

/** The parts of a query for several things; empty if it asks for one. */
export function partsIn(query: string, termsOf: (text: string) => readonly string[]): string[] {
	if (phrasesIn(query).length > 0) return [];
	const sentences = query.split(BETWEEN).map((sentence) => sentence.trim());
	const asking = asksIn(sentences);
	const told = sentences.filter((sentence) => !asking.includes(sentence)).join(" ");
	const clauses = asking.map((sentence) => sentence.replace(/[\s.?!;。？！；]+$/u, "")).flatMap(clausesIn);
	// Most queries ask for one thing: skips counting terms.
	if (clauses.length < 2) return [];
	const parts = clauses
		.map((part) => (PRONOUN.test(part) ? `${told} ${part}`.trim() : part))
		.filter((part) => new Set(termsOf(part)).size >= FEWEST_TERMS);
	return parts.length < 2 ? [] : parts.slice(0, MOST_PARTS);
}

/** The requesting sentences. A sentence before a colon, or a statement beside a question, is only context. */
function asksIn(sentences: readonly string[]): string[] {
	const hasQuestion = sentences.some((sentence) => /[?？]$/u.test(sentence));
	return sentences.filter((sentence) => {
		if (/[:：]$/u.test(sentence)) return false;
		return !hasQuestion || !sentence.endsWith(".") || REQUEST.test(sentence);
	});
}

/** Splits at commas and "and" between requests or items. Clauses keep the text before the first request. */
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

/** Whether items are requests: "do this, do that, and do the other", unlike a list of single words. */
function isListed(items: readonly string[]): boolean {
	if (items.length < FEWEST_LISTED || !JOINER.test(items.at(-1) ?? "")) return false;
	return items.every((item) => /\S\s+\S/.test(item.replace(JOINER, "")));
}

/** Joins pieces and their separators again, except at separators that `parts` accepts. */
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

/** The beginning of the previous part, up to the preposition with which this part begins. */
function sharedHead(before: string, part: string): string {
	const [, preposition = ""] = SHARED.exec(part) ?? [];
	const at = preposition === "" ? -1 : before.toLowerCase().indexOf(` ${preposition.toLowerCase()} `);
	return at < 0 ? "" : before.slice(0, at + 1);
}
