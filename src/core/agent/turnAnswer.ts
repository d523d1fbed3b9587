import { type Citation, formatCitation } from "../knowledge/citation.ts";
import type { AgentEvent, Turn } from "./agentEvent.ts";

export function wordsOf(event: AgentEvent): string {
	if (event.kind === "text") return event.text;
	return event.kind === "citation" ? formatCitation(event.citation) : "";
}

/** Reasoning at the beginning of an answer, up to `</think>`. Some servers omit the opening tag. */
const REASONING = /^(?:(?!<think>)[\s\S])*?(?:\n<\/think>|<\/think>[ \t]*\r?\n)\s*/;

/** Removes reasoning that was streamed as the beginning of an answer. */
export function answerIn(text: string): string {
	return text.replace(REASONING, "");
}

/** Removes reasoning and its citations from the beginning of a turn's streamed answer. */
export function answering(events: readonly AgentEvent[]): AgentEvent[] {
	const text = events.map((event) => (event.kind === "text" ? event.text : "")).join("");
	let left = text.length - answerIn(text).length;
	return events.flatMap((event) => {
		if (left === 0 || (event.kind !== "text" && event.kind !== "citation")) return [event];
		if (event.kind === "citation") return [];
		const rest = event.text.slice(left);
		left -= event.text.length - rest.length;
		return rest === "" ? [] : [{ ...event, text: rest }];
	});
}

/** Distinct citations, in order. */
export function citationsOf(events: readonly AgentEvent[]): Citation[] {
	const citations = events.flatMap((event) => (event.kind === "citation" ? [event.citation] : []));
	return [...new Map(citations.map((citation) => [formatCitation(citation), citation])).values()];
}

/** Whether the answer consists of quotations. An interrupted turn counts if it searched without asking a model. */
export function isQuoted(events: readonly AgentEvent[]): boolean {
	const own = events.filter(({ step, within }) => step === undefined && within === undefined);
	const ended = own.findLast((event) => event.kind === "ended");
	if (ended) return ended.isQuoted === true;
	return own.some(({ kind }) => kind === "retrieved") && own.every(({ kind }) => kind !== "context");
}

const LEFT_OUT =
	"(Answered with quotations or rows of a query, which no language model wrote. They are not repeated here.)";

const QUERY = /^(`{3,})sparql\n[\s\S]*?\n\1/;

/** Replaces a quoted answer by a note, because a model would mistake the quotations for its own words. */
export function historyTurn({ question, answer }: Turn, wasQuoted: boolean): Turn {
	if (!wasQuoted || answer === "") return { question, answer };
	const [query] = QUERY.exec(answer) ?? [];
	return { question, answer: query === undefined ? LEFT_OUT : `${query}\n\n${LEFT_OUT}` };
}
