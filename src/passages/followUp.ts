import { languageOf } from "../base/language/detect.ts";
import type { AgentRequest } from "../core/agent/agentEvent.ts";
import type { SearchQuery } from "../core/knowledge/knowledge.ts";

/** Words that refer to something named before, and typical beginnings of a follow-up question. */
const REFERRING: Readonly<Record<string, RegExp>> = {
	en: /^(?:and|but|what about|how about)\b|\b(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|there|that one|this one)\b/i,
	de: /^(?:und|aber)(?!\p{L})|(?<!\p{L})(?:er|es|sein(?:e[mnrs]?)?|ihr(?:e[mnrs]?)?|ihm|ihn|dessen|deren|davon|darin|daran|dafür|dort)(?!\p{L})/iu,
	fr: /^(?:et|mais)(?!\p{L})|(?<!\p{L})(?:il|elle|ils|elles|lui|son|sa|ses|leurs?|celui|celle|y)(?!\p{L})/iu,
};

/** A name: capitals within the sentence, a number, or what is quoted. In German every noun has a capital. */
const NAME = /(?<=\S\s+)\p{Lu}\p{L}+|["“„«\d]/u;
const GERMAN_NAME = /["“„«\d]|(?<=\S\s+)\p{Lu}\p{L}+\s+\p{Lu}\p{L}+/u;

/** The question that one goes on from, if it names nothing itself. */
export function aboutOf({
	question,
	history,
}: Pick<AgentRequest, "question" | "history">): Pick<SearchQuery, "about"> {
	if (!isFollowUp(question)) return {};
	const before = history.findLast((turn) => !isFollowUp(turn.question));
	return before ? { about: before.question } : {};
}

function isFollowUp(question: string): boolean {
	const language = languageOf(question) ?? "en";
	const name = language === "de" ? GERMAN_NAME : NAME;
	return !name.test(question) && (REFERRING[language]?.test(question) ?? false);
}
