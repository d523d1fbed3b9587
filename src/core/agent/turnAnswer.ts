import { type Citation, formatCitation } from "../knowledge/citation.ts";
import type { AgentEvent, Turn } from "./agentEvent.ts";

export function wordsOf(event: AgentEvent): string {
	if (event.kind === "text") return event.text;
	return event.kind === "citation" ? formatCitation(event.citation) : "";
}

/** Each cited place once. */
export function citationsOf(events: readonly AgentEvent[]): Citation[] {
	const citations = events.flatMap((event) => (event.kind === "citation" ? [event.citation] : []));
	return [...new Map(citations.map((citation) => [formatCitation(citation), citation])).values()];
}

/** Whether no model wrote the answer. A turn that was cut short is quoted if it searched and asked no model. */
export function isQuoted(events: readonly AgentEvent[]): boolean {
	const own = events.filter(({ step, within }) => step === undefined && within === undefined);
	const ended = own.findLast((event) => event.kind === "ended");
	if (ended) return ended.isQuoted === true;
	return own.some(({ kind }) => kind === "retrieved") && own.every(({ kind }) => kind !== "context");
}

const LEFT_OUT =
	"(Answered with quotations or rows of a query, which no language model wrote. They are not repeated here.)";

/** A query that `/graph` ran. */
const QUERY = /^(`{3,})sparql\n[\s\S]*?\n\1/;

/** A turn for models. They trust answers in a history as their own words, so possibly wrong quotations are omitted. */
export function historyTurn({ question, answer }: Turn, wasQuoted: boolean): Turn {
	if (!wasQuoted || answer === "") return { question, answer };
	const [query] = QUERY.exec(answer) ?? [];
	return { question, answer: query === undefined ? LEFT_OUT : `${query}\n\n${LEFT_OUT}` };
}
