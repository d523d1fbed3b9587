import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import {
	type Citation,
	citationsIn,
	closed,
	keepCitations,
	type SpelledCitation,
	settledLength,
} from "../../core/knowledge/citation.ts";
import { overlap } from "../../core/knowledge/place.ts";

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
	const settle = function* (written: string): Generator<AgentEvent> {
		const { text, lost } = keepCitations(written, (one) => verify(one, shown) !== undefined);
		unverified += lost;
		// What comes after must not end what is begun here.
		yield* splitCitations(closed(text), shown);
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

function* splitCitations(text: string, shown: readonly Citation[]): Generator<AgentEvent> {
	let from = 0;
	for (const written of citationsIn(text)) {
		const { offset, length } = written;
		const citation = verify(written, shown);
		if (!citation) continue;
		if (offset > from) yield { kind: "text", text: text.slice(from, offset) };
		yield { kind: "citation", citation };
		from = offset + length;
	}
	if (from < text.length) yield { kind: "text", text: text.slice(from) };
}

function verify({ citation, written }: SpelledCitation, shown: readonly Citation[]): Citation | undefined {
	const { path, lines } = citation;
	if (shown.some((one) => isLike(one.path, { path, written }))) return undefined;
	const near = shown.filter((one) => one.path === path && overlap(one.lines, lines) > 0);
	const best = near.sort((a, b) => overlap(b.lines, lines) - overlap(a.lines, lines))[0];
	if (!best) return undefined;
	const start = Math.max(best.lines.start, lines.start);
	const end = Math.min(best.lines.end, lines.end);
	return { path, lines: { ...best.lines, start, end } };
}

/** Whether a model may have meant another file: one that is named as the escaped path is spelled, or by other bytes for the same characters. */
function isLike(
	other: string,
	{ path, written }: { readonly path: string; readonly written: string },
): boolean {
	return other !== path && (other === written || other.normalize() === path.normalize());
}

function unverifiedNotice(count: number): string {
	return count === 1
		? "One citation is not linked: the model was not shown those lines."
		: `${count} citations are not linked: the model was not shown those lines.`;
}
