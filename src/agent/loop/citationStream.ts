import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { type Citation, citationsIn, formatCitation } from "../../core/knowledge/citation.ts";

/** A bracket that is open longer than this is no citation. */
const LONGEST_CITATION = 400;

/**
 * Splits a streamed answer into text and citations.
 * A citation is let through only if the model was shown those lines; one that overlaps what was shown is
 * narrowed to it, any other loses its brackets and is reported once at the end.
 */
export async function* citeAsShown(
	pieces: AsyncIterable<string>,
	shown: readonly Citation[],
): AsyncGenerator<AgentEvent> {
	let held = "";
	let unverified = 0;
	const settle = function* (text: string): Generator<AgentEvent> {
		for (const part of splitCitations(text, shown)) {
			if (part.kind === "unverified") unverified += 1;
			yield part.kind === "unverified" ? { kind: "text", text: part.text } : part;
		}
	};
	for await (const piece of pieces) {
		held += piece;
		const end = settledLength(held);
		if (end > 0) yield* settle(held.slice(0, end));
		held = held.slice(end);
	}
	if (held) yield* settle(held);
	if (unverified > 0) yield { kind: "notice", text: unverifiedNotice(unverified) };
}

/** How much of the text cannot be the beginning of a citation that is still being written. */
function settledLength(text: string): number {
	const open = text.lastIndexOf("[");
	if (open < 0 || text.length - open > LONGEST_CITATION) return text.length;
	const rest = text.slice(open);
	return rest.includes("]") || rest.includes("\n") ? text.length : open;
}

type Part =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "citation"; readonly citation: Citation }
	| { readonly kind: "unverified"; readonly text: string };

function splitCitations(text: string, shown: readonly Citation[]): Part[] {
	const parts: Part[] = [];
	let from = 0;
	for (const { citation, offset, length } of citationsIn(text)) {
		if (offset > from) parts.push({ kind: "text", text: text.slice(from, offset) });
		const known = verify(citation, shown);
		parts.push(known ? { kind: "citation", citation: known } : unlinked(citation));
		from = offset + length;
	}
	if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
	return parts;
}

function verify(cited: Citation, shown: readonly Citation[]): Citation | undefined {
	const near = shown.filter(({ path, lines }) => path === cited.path && overlap(lines, cited.lines) > 0);
	const best = near.sort((a, b) => overlap(b.lines, cited.lines) - overlap(a.lines, cited.lines))[0];
	if (!best) return undefined;
	const start = Math.max(best.lines.start, cited.lines.start);
	const end = Math.min(best.lines.end, cited.lines.end);
	return { path: cited.path, lines: { start, end } };
}

function overlap(a: Citation["lines"], b: Citation["lines"]): number {
	return Math.min(a.end, b.end) - Math.max(a.start, b.start) + 1;
}

function unlinked(citation: Citation): Part {
	return { kind: "unverified", text: `(${formatCitation(citation).slice(1, -1)})` };
}

function unverifiedNotice(count: number): string {
	return count === 1
		? "One citation is not linked: the model was not shown those lines."
		: `${count} citations are not linked: the model was not shown those lines.`;
}
