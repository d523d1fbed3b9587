import { isFailure } from "../base/failure.ts";
import type { AgentEvent } from "../core/agent/agentEvent.ts";
import { type Citation, citationsIn, formatCitation } from "../core/knowledge/citation.ts";
import type { KnowledgeReader } from "../core/knowledge/knowledge.ts";
import type { Door } from "../core/permission/permission.ts";
import type { CitedText } from "./checkAnswer.ts";

/** Longer lines are not compared. */
const CHARACTERS = 60_000;

/** The current lines of citations, as visible to a channel; `undefined` if they cannot be read completely. */
export type CitedLines = (citation: Citation) => CitedText | undefined;

export async function readCitedLines(
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
export interface ShownTitle {
	readonly citation: Citation;
	readonly title: string;
}

export function shownTitles(events: readonly AgentEvent[]): ShownTitle[] {
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
