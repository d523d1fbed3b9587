import { isFailure } from "../base/failure.ts";
import type { AgentEvent } from "../core/agent/agentEvent.ts";
import { type Citation, citationsIn, formatCitation } from "../core/knowledge/citation.ts";
import type { FoundThing, Things } from "../core/knowledge/graph.ts";
import type { KnowledgeReader } from "../core/knowledge/knowledge.ts";
import type { Door } from "../core/permission/permission.ts";
import { type CheckedStatement, type CitedText, checkAnswer, doubtfulNames } from "./checkAnswer.ts";

export interface TurnToCheck {
	/** Markdown with citations in brackets. */
	readonly answer: string;
	readonly events: readonly AgentEvent[];
	readonly door: Door;
}

export interface CheckedTurn {
	readonly statements: readonly CheckedStatement[];
	readonly linesOf: CitedLines;
}

export interface CheckPorts {
	readonly knowledge: KnowledgeReader;
	readonly things: Pick<Things, "find">;
}

export async function checkTurn(
	{ knowledge, things }: CheckPorts,
	{ answer, events, door }: TurnToCheck,
	signal: AbortSignal,
): Promise<CheckedTurn> {
	const citations = citationsIn(answer).map(({ citation }) => citation);
	const [linesOf, known] = await Promise.all([
		readCitedLines(knowledge, { citations, door }, signal),
		knownNames(things, { answer, door }, signal),
	]);
	const titles = shownTitles(events);
	const titled: CitedLines = (citation) => {
		const found = linesOf(citation);
		return found && { ...found, titles: [...found.titles, ...titlesOf(citation, titles)] };
	};
	return { statements: checkAnswer(answer, titled, known), linesOf };
}

/** A model may have narrowed the lines that it was shown. */
function titlesOf({ path, lines }: Citation, titles: readonly ShownTitle[]): string[] {
	return titles.flatMap(({ citation, title }) => {
		const { start, end, part } = citation.lines;
		const holds = part === lines.part && start <= lines.start && end >= lines.end;
		return citation.path === path && holds ? [title] : [];
	});
}

/** Maximum number of words of an answer that are looked up, and of results for each. */
const LOOKED_UP = 20;
const NAMESAKES = 10;
/** A title of a text is mostly made of ordinary words. */
const TEXTS = /article|page|document|work|book|note|section|comment|message|posting|concept|dataset|file/i;

/** Words of an answer that the graph knows as names, if their capital letter alone does not show it. */
async function knownNames(
	things: Pick<Things, "find">,
	{ answer, door }: { readonly answer: string; readonly door: Door },
	signal: AbortSignal,
): Promise<ReadonlySet<string>> {
	const isKnown = async (name: string) => {
		const query = { words: name, kinds: ["thing"], limit: NAMESAKES, door } as const;
		const found = await things.find(query, signal).catch(nothingToAsk);
		return found.some((thing) => thing.label === name && isNamed(thing));
	};
	const names = doubtfulNames(answer).slice(0, LOOKED_UP);
	const known = await Promise.all(names.map(isKnown));
	return new Set(names.filter((_, index) => known[index]));
}

function isNamed({ types }: FoundThing): boolean {
	return types.length > 0 && !types.some((type) => TEXTS.test(type));
}

/** The lines are compared all the same. */
function nothingToAsk(thrown: unknown): readonly FoundThing[] {
	if (isFailure(thrown)) return [];
	throw thrown;
}

/** Longer lines are not compared. */
const CHARACTERS = 60_000;

/** The current lines of citations, as visible to a channel; `undefined` if they cannot be read completely. */
export type CitedLines = (citation: Citation) => CitedText | undefined;

async function readCitedLines(
	knowledge: KnowledgeReader,
	{ citations, door }: { readonly citations: readonly Citation[]; readonly door: Door },
	signal: AbortSignal,
): Promise<CitedLines> {
	const targets = [...new Set(citations.map(formatCitation))];
	const read = targets.map(async (target) => {
		const { parts, truncated } = await knowledge
			.read({ target, maxCharacters: CHARACTERS, door }, signal)
			.catch(nothingWhereGone);
		const [part] = parts;
		return [target, part && !truncated ? { text: part.text, titles: [part.title] } : undefined] as const;
	});
	const found = new Map(await Promise.all(read));
	return (citation) => found.get(formatCitation(citation));
}

function nothingWhereGone(thrown: unknown) {
	if (isFailure(thrown) && thrown.code === "NOT_FOUND") return { parts: [], truncated: false };
	throw thrown;
}

/** What the model was shown lines under: a heading may name what the lines speak of. */
interface ShownTitle {
	readonly citation: Citation;
	readonly title: string;
}

function shownTitles(events: readonly AgentEvent[]): ShownTitle[] {
	return events.flatMap((event) => {
		if (event.kind === "retrieved") return event.hits.map((hit) => ({ citation: hit, title: hit.title }));
		return event.kind === "toolFinished" ? event.text.split("\n").flatMap(titlesInLine) : [];
	});
}

/** Our tools write the title of a passage behind its citation. */
function titlesInLine(line: string): ShownTitle[] {
	return citationsIn(line).map(({ citation, offset, length }) => ({
		citation,
		title: line.slice(offset + length).trim(),
	}));
}
