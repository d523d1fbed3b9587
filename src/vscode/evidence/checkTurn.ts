import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { type Citation, citationsIn } from "../../core/knowledge/citation.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Things } from "../../core/knowledge/things.ts";
import type { Door } from "../../core/permission/door.ts";
import { type CheckedStatement, checkAnswer } from "../../evidence/checkAnswer.ts";
import { type CitedLines, readCitedLines, type ShownTitle, shownTitles } from "./citedLines.ts";
import { knownNames } from "./knownNames.ts";

/** A turn whose answer is compared with what it cites. */
export interface TurnToCheck {
	/** Markdown with citations in brackets. */
	readonly answer: string;
	readonly events: readonly AgentEvent[];
	/** By which the lines were shown. */
	readonly door: Door;
}

export interface CheckedTurn {
	readonly statements: readonly CheckedStatement[];
	readonly linesOf: CitedLines;
}

export interface CheckPorts {
	readonly knowledge: Pick<Knowledge, "read">;
	readonly things: Pick<Things, "find">;
}

/** Compares an answer with the lines that it cites, as they are now. */
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
