import { ifThere, messageOf, unlessFailed } from "../base/failure.ts";
import type { AgentEvent, Runner } from "../core/agent/agentEvent.ts";
import { answering, wordsOf } from "../core/agent/turnAnswer.ts";
import { type Citation, citationsIn, formatCitation } from "../core/knowledge/citation.ts";
import type { Things } from "../core/knowledge/graph.ts";
import type { KnowledgeReader } from "../core/knowledge/knowledge.ts";
import type { Channel } from "../core/permission/permission.ts";
import { type CitedLines, checkAnswer, doubtfulNames } from "./checkAnswer.ts";
import { summaryOf, warningsOn } from "./summary.ts";

export interface TurnToCheck {
	readonly answer: string;
	readonly events: readonly AgentEvent[];
	readonly channel: Channel;
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

/** Titles of shown lines that contain the cited lines, because a model may cite only some of the shown lines. */
function titlesOf({ path, lines }: Citation, titles: readonly ShownTitle[]): string[] {
	return titles.flatMap(({ citation, title }) => {
		const { start, end, part } = citation.lines;
		const holds = part === lines.part && start <= lines.start && end >= lines.end;
		return citation.path === path && holds ? [title] : [];
	});
}

const MOST_WORDS_LOOKED_UP = 20;
const NAMESAKES = 10;
/** Classes of texts, whose titles mostly consist of ordinary words and so are no names. */
const TEXTS = /article|page|document|work|book|note|section|comment|message|posting|concept|dataset|file/i;

/** Words that are names in the graph, although a capital letter alone does not show that. */
async function knownNames(
	things: CheckPorts["things"],
	{ answer, channel }: TurnToCheck,
	signal: AbortSignal,
) {
	const isKnown = async (name: string) => {
		const query = { words: name, kinds: ["thing"], limit: NAMESAKES, channel } as const;
		// If the search fails, the lines are compared without known names.
		const found = await unlessFailed(() => things.find(query, signal));
		return found?.some(
			({ label, types }) => label === name && types.length > 0 && !types.some((type) => TEXTS.test(type)),
		);
	};
	const names = doubtfulNames(answer).slice(0, MOST_WORDS_LOOKED_UP);
	const known = await Promise.all(names.map(isKnown));
	return new Set(names.filter((_, index) => known[index]));
}

const MOST_CHARACTERS = 60_000;

async function readCitedLines(
	knowledge: KnowledgeReader,
	{ answer, channel }: TurnToCheck,
	signal: AbortSignal,
) {
	const targets = new Set(citationsIn(answer).map(({ citation }) => formatCitation(citation)));
	const read = Array.from(targets, async (target) => {
		const found = await ifThere(() =>
			knowledge.read({ target, maxCharacters: MOST_CHARACTERS, channel }, signal),
		);
		const [part] = found?.truncated ? [] : (found?.parts ?? []);
		return [target, part && { text: part.text, titles: [part.title] }] as const;
	});
	const found = new Map(await Promise.all(read));
	return (citation: Citation) => found.get(formatCitation(citation));
}

/** A title that the model saw above lines and that may name the lines' subject. */
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

function titlesInLine(line: string): ShownTitle[] {
	return citationsIn(line).map(({ citation, offset, length }) => ({
		citation,
		title: line.slice(offset + length).trim(),
	}));
}

const PATIENCE_MS = 5000;

/** Compares a model's answer with the cited lines and reports the result before the turn ends. */
export function checkedRunner(run: Runner, ports: CheckPorts & { readonly channel: Channel }): Runner {
	return async function* runTurn(request, signal) {
		const events: AgentEvent[] = [];
		for await (const event of run(request, signal)) {
			if (event.kind === "ended" && !event.isQuoted) {
				const isOwn = ({ step, within }: AgentEvent) => step === undefined && within === undefined;
				const own = answering(events.filter(isOwn));
				const turn = { answer: own.map(wordsOf).join(""), events: own, channel: ports.channel };
				for (const text of await remarksOn(turn, ports, signal)) yield { kind: "notice", text };
			}
			events.push(event);
			yield event;
		}
	};
}

export async function remarksOn(turn: TurnToCheck, ports: CheckPorts, signal: AbortSignal) {
	try {
		const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
		const { statements } = await checkTurn(ports, turn, late);
		return [summaryOf(statements), ...warningsOn(statements)].filter((text) => text !== "");
	} catch (thrown) {
		signal.throwIfAborted();
		return [`The answer was not compared with its sources: ${messageOf(thrown)}`];
	}
}
