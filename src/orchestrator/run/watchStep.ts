import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import { boundedText } from "../../base/text/visibleText.ts";
import { textOf } from "../../base/values.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { type Citation, formatCitation } from "../../core/knowledge/citation.ts";

/** What a step has told so far. */
export interface StepRecord {
	note(event: AgentEvent): void;
	/** Its words, with its citations. */
	output(): string;
	citations(): readonly Citation[];
	focusAreas(): readonly string[];
	/** Whether it began what may change something: any call of an agent that may, and a change that was seen of one that may not. */
	hasActed(mayChange: boolean): boolean;
	/** What its model read and wrote, by their characters. */
	estimatedTokens(prompt: string): number;
}

/** Characters of what one step may leave to those after it and to the journal. */
const LONGEST_OUTPUT = 60_000;

const MOST_AREAS = 50;

/** Inputs of tools in which a path stands. */
const PATH_FIELDS = ["path", "fileName", "file", "filePath", "file_path", "target", "uri"];

export function watchStep(): StepRecord {
	const words: string[] = [];
	const cited = new Map<string, Citation>();
	const areas = new Set<string>();
	let calls = 0;
	let hasDiff = false;
	const cite = (citation: Citation) => {
		const mark = formatCitation(citation);
		cited.set(mark, citation);
		areas.add(citation.path);
		words.push(mark);
	};
	const act = (event: AgentEvent) => {
		if (event.kind === "diff") {
			hasDiff = true;
			areas.add(event.path);
		}
		if (event.kind !== "toolStarted") return;
		calls += 1;
		for (const path of pathsIn(event.call.input)) areas.add(path);
	};
	return {
		note: (event) => {
			if (event.kind === "text") words.push(event.text);
			else if (event.kind === "citation") cite(event.citation);
			else act(event);
		},
		output: () => boundedText(words.join("").trim(), LONGEST_OUTPUT),
		citations: () => [...cited.values()],
		focusAreas: () => [...areas].slice(0, MOST_AREAS),
		hasActed: (mayChange) => hasDiff || (mayChange && calls > 0),
		estimatedTokens: (prompt) => Math.ceil((prompt.length + words.join("").length) / CHARACTERS_PER_TOKEN),
	};
}

function pathsIn(input: unknown): string[] {
	return PATH_FIELDS.flatMap((field) => textOf(input, field) ?? []).filter((path) => path.length < 500);
}
