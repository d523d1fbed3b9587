import { formatCitation } from "./citation.ts";
import type { LineRange } from "./source.ts";

/** A piece of a source, as a model reads it: the citation that it may copy, the title, the text. */
export function formatEvidence(piece: {
	readonly path: string;
	readonly lines: LineRange;
	readonly title: string;
	readonly text: string;
}): string {
	return `${formatCitation(piece)} ${piece.title}\n${withoutCitations(piece.text)}`;
}

/** A source must not be able to write citations of its own: they would count as shown. */
function withoutCitations(text: string): string {
	return text.replace(/\[([^[\]\n]+:\d+(?:-\d+)?)\]/g, "($1)");
}
