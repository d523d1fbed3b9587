import type { AgentEvent, Runner } from "../core/agent/agentEvent.ts";
import { answering, wordsOf } from "../core/agent/turnAnswer.ts";
import { type Citation, formatCitation } from "../core/knowledge/citation.ts";
import type { GraphAnswer, GraphResult } from "../core/knowledge/graph.ts";
import type { Hit, SearchQuery, SearchResult } from "../core/knowledge/knowledge.ts";
import type { Asked, Measure } from "../core/knowledge/knowledgeTest.ts";

export interface TestPorts {
	readonly ask: Runner;
	search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
	query(query: { readonly sparql: string }, signal: AbortSignal): Promise<GraphResult>;
	/** Absent if no language model is configured. */
	judge?(criterion: string, answer: string, signal: AbortSignal): Promise<Judgement>;
	/** Milliseconds of a clock that never goes back. */
	now(): number;
}

type Judgement = { readonly meets: true } | { readonly meets: false; readonly why: string };

interface Seen {
	readonly answer: string;
	/** Text to show instead of the answer. */
	readonly shown?: string;
	readonly citations: readonly Citation[];
	/** Notices needed to judge the answer. */
	readonly notices?: readonly string[];
	/** Texts of search and tool results. */
	readonly found: readonly string[];
	/** The graph's count; absent if there is none. */
	readonly total?: number;
	readonly rows?: readonly Readonly<Record<string, string>>[];
	readonly calls?: readonly string[];
	readonly rounds?: number;
	readonly tokens?: number;
}

export type Observed = Awaited<ReturnType<typeof observe>>;

/** Asks and records the response. Rejects if the question cannot be asked. */
export async function observe(asks: Asked, ports: TestPorts, signal: AbortSignal) {
	const began = ports.now();
	const { rounds = 0, tokens = 0, calls = [], ...seen } = await see(asks, ports, signal);
	const milliseconds = Math.round(ports.now() - began);
	const measured: Record<Measure, number> = { calls: calls.length, rounds, tokens, milliseconds };
	// Searches again for the graph's count, which the agent's events do not contain.
	const counted =
		asks.kind === "ask" ? (await ports.search({ query: asks.question, limit: 1 }, signal)).listing : seen;
	return { ...seen, total: counted?.total, calls, measured };
}

function see(asks: Asked, ports: TestPorts, signal: AbortSignal): Promise<Seen> {
	switch (asks.kind) {
		case "ask":
			return answered(ports.ask({ question: asks.question, history: [], attachments: [] }, signal));
		case "search":
			return ports.search({ query: asks.query }, signal).then(searched);
		case "query":
			return ports.query({ sparql: asks.sparql }, signal).then(queried);
	}
}

async function answered(running: AsyncIterable<AgentEvent>): Promise<Seen> {
	const events = answering(await Array.fromAsync(running));
	const usages = events.filter((event) => event.kind === "usage");
	return {
		answer: events.map(wordsOf).join(""),
		citations: events.flatMap((event) => (event.kind === "citation" ? [event.citation] : [])),
		notices: events.flatMap((event) => (event.kind === "notice" ? [event.text] : [])),
		found: events.flatMap(foundIn),
		calls: events.flatMap((event) => (event.kind === "toolStarted" ? [event.call.name] : [])),
		rounds: events.filter(({ kind }) => kind === "context").length,
		tokens: usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
	};
}

function foundIn(event: AgentEvent): string[] {
	if (event.kind === "retrieved") return event.hits.map(textOfHit);
	return event.kind === "toolFinished" && event.ok ? [event.text] : [];
}

function searched({ hits, listing }: SearchResult): Seen {
	const listed = listing?.items ?? [];
	return {
		answer: hits.map(({ text }) => text).join("\n\n"),
		shown: hits.map(({ title, path, lines }) => `${title} ${formatCitation({ path, lines })}`).join("\n"),
		citations: [
			...listed.map(({ citation }) => citation),
			...hits.map(({ path, lines }) => ({ path, lines })),
		],
		found: [...listed.map(({ label, iri = "" }) => `${label}\n${iri}`), ...hits.map(textOfHit)],
		...(listing && { total: listing.total }),
	};
}

function queried({ answer, sources }: GraphResult): Seen {
	const rows = rowsOf(answer);
	const total = (answer.kind === "rows" ? answer.total : undefined) ?? rows.length;
	const lines = rows.map((row) => Object.values(row).join("\t"));
	return { answer: lines.join("\n"), citations: sources, found: lines, rows, total };
}

function rowsOf(answer: GraphAnswer): Readonly<Record<string, string>>[] {
	switch (answer.kind) {
		case "boolean":
			return [{ ask: String(answer.value) }];
		case "rows":
			return answer.rows.map((row) =>
				Object.fromEntries(Object.entries(row).map(([name, { value }]) => [name, value])),
			);
		case "quads":
			return answer.quads.map(({ subject, predicate, object }) => ({
				subject: subject.value,
				predicate: predicate.value,
				object: object.value,
			}));
	}
}

function textOfHit({ title, text, iri = "", path, lines }: Hit): string {
	return [title, text, iri, formatCitation({ path, lines })].join("\n");
}
