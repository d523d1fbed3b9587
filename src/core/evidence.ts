import { formatCitation, uncited } from "./citation.ts";
import type { LineRange } from "./source.ts";

/** A piece of a source, as a model reads it: the citation that it may copy, the title, the text. */
export function formatEvidence(piece: {
	readonly path: string;
	readonly lines: LineRange;
	readonly title: string;
	readonly text: string;
}): string {
	return `${formatCitation(piece)} ${uncited(`${piece.title}\n${piece.text}`)}`;
}
