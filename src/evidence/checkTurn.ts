import { ifThere, unlessFailed } from "../base/failure.ts";
import type { AgentEvent } from "../core/agent/agentEvent.ts";
import { type Citation, citationsIn, formatCitation } from "../core/knowledge/citation.ts";
import type { FoundThing, Things } from "../core/knowledge/graph.ts";
import type { KnowledgeReader } from "../core/knowledge/knowledge.ts";
import type { Door } from "../core/permission/permission.ts";
import { type CitedLines, checkAnswer, doubtfulNames } from "./checkAnswer.ts";

export interface TurnToCheck {
	/** Markdown with citations in brackets. */
	readonly answer: string;
	readonly events: readonly AgentEvent[];
	readonly door: Door;
}

export type CheckedTurn = Awaited<ReturnType<typeof checkTurn>>;

export interface CheckPorts {
	readonly knowledge: KnowledgeReader;
	readonly things: Pick<Things, "find">;
}

export async function checkTurn({ knowledge, things }: CheckPorts, turn: TurnToCheck, signal: AbortSignal) {
	const [linesOf, known] = await Promise.all([
		readCitedLines(knowledge, turn, signal),
		knownNames(things, turn, signal),
	]);
	const titles = shownTitles(turn.events);
	const titled: CitedLines = (citation) => {
		const found = linesOf(citation);
		return found && { ...found, titles: [...found.titles, ...titlesOf(citation, titles)] };
	};
	return { statements: checkAnswer(turn.answer, titled, known), linesOf };
}

/** Titles of shown lines that contain the cited ones: a model may cite fewer lines than it was shown. */
function titlesOf({ path, lines }: Citation, titles: readonly ShownTitle[]): string[] {
	return titles.flatMap(({ citation, title }) => {
		const { start, end, part } = citation.lines;
		const holds = part === lines.part && start <= lines.start && end >= lines.end;
		return citation.path === path && holds ? [title] : [];
	});
}

/** Maximum number of words of an answer to look up. */
const LOOKED_UP = 20;
const NAMESAKES = 10;
/** Types of texts: their titles mostly consist of ordinary words, so they are no names. */
const TEXTS = /article|page|document|work|book|note|section|comment|message|posting|concept|dataset|file/i;

/** Words of an answer that the graph knows as names, if their capital letter alone does not show it. */
async function knownNames(things: CheckPorts["things"], { answer, door }: TurnToCheck, signal: AbortSignal) {
	const isKnown = async (name: string) => {
		const query = { words: name, kinds: ["thing"], limit: NAMESAKES, door } as const;
		// If the search fails, compare the lines without known names.
		const found = await unlessFailed(() => things.find(query, signal));
		return found?.some((thing) => thing.label === name && isNamed(thing));
	};
	const names = doubtfulNames(answer).slice(0, LOOKED_UP);
	const known = await Promise.all(names.map(isKnown));
	return new Set(names.filter((_, index) => known[index]));
}

function isNamed({ types }: FoundThing): boolean {
	return types.length > 0 && !types.some((type) => TEXTS.test(type));
}

/** Longer lines are not compared. */
const CHARACTERS = 60_000;

async function readCitedLines(
	knowledge: KnowledgeReader,
	{ answer, door }: TurnToCheck,
	signal: AbortSignal,
) {
	const targets = new Set(citationsIn(answer).map(({ citation }) => formatCitation(citation)));
	const read = Array.from(targets, async (target) => {
		const found = await ifThere(() => knowledge.read({ target, maxCharacters: CHARACTERS, door }, signal));
		const [part] = found?.truncated ? [] : (found?.parts ?? []);
		return [target, part && { text: part.text, titles: [part.title] }] as const;
	});
	const found = new Map(await Promise.all(read));
	return (citation: Citation) => found.get(formatCitation(citation));
}

/** The title shown to the model above lines: it may name their subject. */
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

/** Our tools write the title of a passage after its citation. */
function titlesInLine(line: string): ShownTitle[] {
	return citationsIn(line).map(({ citation, offset, length }) => ({
		citation,
		title: line.slice(offset + length).trim(),
	}));
}
