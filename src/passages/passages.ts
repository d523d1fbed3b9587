import { isFailure } from "../base/failure.ts";
import type { AgentRequest, Runner } from "../core/agent/agentEvent.ts";
import { formatCitation } from "../core/knowledge/citation.ts";
import type { ReadQuery, ReadResult, SearchResult } from "../core/knowledge/knowledge.ts";
import { NOTHING_MATCHES } from "../core/knowledge/searchSummary.ts";
import { narrow } from "./narrow.ts";
import { type Quote, quoteAnswer } from "./quoteAnswer.ts";
import { rehearse } from "./rehearse.ts";
import { tellAnswer } from "./tell.ts";

export interface PassagesPorts {
	/** What is found for the question; eight hits are enough. */
	search(request: AgentRequest, signal: AbortSignal): Promise<SearchResult>;
	/** Reads the lines of a citation, as `Knowledge` does. */
	read(query: ReadQuery, signal: AbortSignal): Promise<ReadResult>;
	/** Our own sentences in the language of the person; English where it is absent. */
	say?(sentence: string): string;
}

/** Answers without a language model: with the values, the listing or the sentences of the documents that answer. */
export function createPassages({ search, read, say }: PassagesPorts): Runner {
	return async function* runTurn(request, signal) {
		yield { kind: "progress", text: "Searching the knowledge base" };
		const searching = search(request, signal);
		rehearse(request.question);
		const found = await searching;
		const isAll = !found.listing && found.hits.every(({ via }) => via === undefined);
		yield { kind: "retrieved", hits: found.hits, isAll };
		const answer = quoteAnswer(request.question, found);
		const quotes = await Promise.all(answer.quotes.map((quote) => withOwnLines(quote, signal)));
		yield* tellAnswer({ ...answer, quotes }, say);
		const isEmpty = quotes.length === 0 && !answer.listing;
		const notices = found.notices.filter((text) => !isEmpty || text !== NOTHING_MATCHES);
		for (const text of [...notices, ...unheeded(request)]) yield { kind: "notice", text };
		yield { kind: "ended", reason: "done", isQuoted: true };
	};

	/** A file that cannot be read now is cited with the lines of the passage. */
	async function withOwnLines(quote: Quote, signal: AbortSignal): Promise<Quote> {
		try {
			const { parts } = await read({ target: formatCitation(quote.citation) }, signal);
			return parts[0] ? narrow(quote, parts[0]) : quote;
		} catch (thrown) {
			if (!isFailure(thrown)) throw thrown;
			return quote;
		}
	}
}

function unheeded({ attachments, images = [] }: AgentRequest): string[] {
	const given = attachments.filter(({ isImplicit }) => !isImplicit);
	if (given.length + images.length === 0) return [];
	return ["Attachments were not read: without a language model, only the index is quoted."];
}
