import { stemmer } from "stemmer";
import { STOP_WORDS } from "../../base/words/stopWords.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";
import type { Word } from "../evaluate/readPrompt.ts";

/** How a keyword of an agent agrees with a prompt, and by which of its words. */
export interface KeywordMatch {
	readonly kind: "exact" | "partial" | "synonym";
	readonly word: string;
}

/** Words that are used for each other in tasks; the stems of one line. */
const SYNONYMS: readonly ReadonlySet<string>[] = [
	"review audit inspect check examine assess critique",
	"test testing coverage qa spec",
	"fix repair debug mend bug defect error issue fault",
	"create add generate make build write implement develop",
	"document documentation docs doc readme guide manual tutorial",
	"refactor restructure simplify cleanup rewrite",
	"performance speed latency slow fast optimize efficiency",
	"security vulnerability exploit threat hardening auth authentication authorization",
	"architecture design structure module boundary pattern",
	"deploy release ship publish rollout",
	"database sql schema migration query",
	"frontend ui ux interface component css",
	"explain describe clarify teach",
	"plan roadmap breakdown estimate",
].map((line) => new Set(wordList(line).map((word) => stemmer(word))));

/** What is written short; both are the same word, cut. */
const SHORT_FORMS: readonly { readonly short: string; readonly long: readonly string[] }[] = [
	"auth authentication authorization",
	"doc documentation document",
	"config configuration",
	"perf performance",
	"arch architecture",
	"repo repository",
	"db database",
	"spec specification",
	"infra infrastructure",
	"dep dependency",
	"i18n internationalization",
	"a11y accessibility",
].map((line) => {
	const [short = "", ...long] = wordList(line).map((word) => stemmer(word));
	return { short, long };
});

/** The best agreement of a keyword with what a prompt says; whole words and their stems only. */
export function matchKeyword(keyword: string, { facts, keywords }: Evaluation): KeywordMatch | undefined {
	const spelled = keyword.toLowerCase();
	const parts = (spelled.match(/[\p{L}\p{N}]+/gu) ?? []).map((part) => stemmer(part));
	if (parts.length === 0) return undefined;
	const phrase = phraseIn(parts, facts.words);
	if (phrase !== undefined) return { kind: "exact", word: phrase };
	const words = facts.words.filter(({ text }) => !STOP_WORDS.has(text));
	const partial = words.find(({ stem }) => parts.some((part) => part === stem || areShort(part, stem)));
	if (partial) return { kind: "partial", word: partial.text };
	const synonym = words.find(({ stem }) => parts.some((part) => areSynonyms(part, stem)));
	if (synonym) return { kind: "synonym", word: synonym.text };
	return keywords.includes(spelled) ? { kind: "synonym", word: spelled } : undefined;
}

/** Finds `code-review` in “a code review”. */
function phraseIn(parts: readonly string[], words: readonly Word[]): string | undefined {
	const start = words.findIndex((_, at) => parts.every((part, index) => words[at + index]?.stem === part));
	if (start < 0) return undefined;
	return words
		.slice(start, start + parts.length)
		.map(({ text }) => text)
		.join(" ");
}

function areShort(one: string, other: string): boolean {
	return SHORT_FORMS.some(
		({ short, long }) => (one === short && long.includes(other)) || (other === short && long.includes(one)),
	);
}

function areSynonyms(one: string, other: string): boolean {
	return SYNONYMS.some((line) => line.has(one) && line.has(other));
}
