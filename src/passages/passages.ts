import { languageOf } from "../base/language/detect.ts";
import type { AgentRequest, Runner } from "../core/agent/agentEvent.ts";
import type { SearchQuery, SearchResult } from "../core/knowledge/knowledge.ts";
import { NOTHING_MATCHES } from "../core/knowledge/searchSummary.ts";
import { factsOf, tellAnswer } from "./tell.ts";

export interface PassagesPorts {
	/** Searches for the question of a request. Needs at least eight hits. */
	search(
		request: AgentRequest,
		asked: Pick<SearchQuery, "about" | "wantsAnswer">,
		signal: AbortSignal,
	): Promise<SearchResult>;
	/** Translates our own sentences; if absent, they are English. */
	say?(sentence: string): string;
}

/** Maximum number of hits shown if none matches. */
const MOST_NEAREST = 3;

/** Answers without a language model, with quotes, listings or values from the documents. */
export function createPassages({ search, say }: PassagesPorts): Runner {
	return async function* runTurn(request, signal) {
		yield { kind: "progress", text: "Searching the knowledge base" };
		const found = await search(request, { wantsAnswer: true, ...aboutOf(request) }, signal);
		const isAll = !found.listing && found.hits.every(({ via }) => via === undefined);
		const shown = found.isWeak ? found.hits.slice(0, MOST_NEAREST) : found.hits;
		yield { kind: "retrieved", hits: shown.map(({ sections: _, ...hit }) => hit), isAll };
		yield* tellAnswer(found, say);
		const notices = found.notices.filter((text) => text !== NOTHING_MATCHES);
		for (const text of [...notices, ...unheeded(request)]) yield { kind: "notice", text };
		yield { kind: "ended", reason: "done", isQuoted: true, quoted: factsOf(found) };
	};
}

function unheeded({ attachments, images = [] }: AgentRequest): string[] {
	const given = attachments.filter(({ isImplicit }) => !isImplicit);
	if (given.length + images.length === 0) return [];
	return ["Attachments were not read: without a language model, only the index is quoted."];
}

/** Signs of a follow-up question: a typical beginning or a pronoun. */
const REFERRING: Readonly<Record<string, RegExp>> = {
	en: /^(?:and|but|what about|how about)\b|\b(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|there|that one|this one)\b/i,
	de: /^(?:und|aber)(?!\p{L})|(?<!\p{L})(?:er|es|sein(?:e[mnrs]?)?|ihr(?:e[mnrs]?)?|ihm|ihn|dessen|deren|davon|darin|daran|dafür|dort)(?!\p{L})/iu,
	fr: /^(?:et|mais)(?!\p{L})|(?<!\p{L})(?:il|elle|ils|elles|lui|son|sa|ses|leurs?|celui|celle|y)(?!\p{L})/iu,
};

/** Signs of a name: a capital letter within the sentence, a digit or a quotation mark. */
const NAME = /(?<=\S\s+)\p{Lu}\p{L}+|["“„«\d]/u;
/** German capitalizes all nouns, so that only two capitalized words show a name. */
const GERMAN_NAME = /["“„«\d]|(?<=\S\s+)\p{Lu}\p{L}+\s+\p{Lu}\p{L}+/u;

/** For a follow-up question: the latest question that is not a follow-up question. */
export function aboutOf({ question, history }: Pick<AgentRequest, "question" | "history">) {
	if (!isFollowUp(question)) return {};
	const before = history.findLast((turn) => !isFollowUp(turn.question));
	return before ? { about: before.question } : {};
}

function isFollowUp(question: string): boolean {
	const language = languageOf(question) ?? "en";
	const name = language === "de" ? GERMAN_NAME : NAME;
	return !name.test(question) && (REFERRING[language]?.test(question) ?? false);
}
