import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import {
	type Citation,
	citationsIn,
	closed,
	keepCitations,
	overlap,
	type SpelledCitation,
	settledLength,
} from "../../core/knowledge/citation.ts";

/** Narrows citations to lines that the model has seen. Citations of other lines lose their brackets. */
function createCitationFilter(shown: readonly Citation[]) {
	let held = "";
	let unverified = 0;
	const settle = (length: number): AgentEvent[] => {
		const written = held.slice(0, length);
		held = held.slice(length);
		if (written === "") return [];
		const { text, lost } = keepCitations(written, (one) => verify(one, shown) !== undefined);
		unverified += lost;
		// Later text must not complete a citation that starts here.
		return [...splitCitations(closed(text), shown)];
	};
	return {
		add: (piece: string) => {
			held += piece;
			return settle(settledLength(held));
		},
		flush: () => settle(held.length),
		lost: () => unverified,
	};
}

interface Showing {
	readonly before: readonly Citation[];
	/** Whether results of a tool show further passages; by default, no results do. */
	readonly isOurs?: (tool: string) => boolean;
	readonly why?: string;
}

/** Streams an answer with valid citations. Reports removed citations once at the end. */
export async function* citeEvents(
	events: AsyncIterable<AgentEvent>,
	{ before, isOurs = () => false, why = "none of our tools showed those lines here" }: Showing,
): AsyncGenerator<AgentEvent> {
	const shown = [...before];
	const filter = createCitationFilter(shown);
	for await (const event of events) {
		if (event.kind === "text") {
			yield* filter.add(event.text);
			continue;
		}
		if (event.kind === "toolFinished" && event.ok && isOurs(event.call.name))
			shown.push(...citationsIn(event.text).map(({ citation }) => citation));
		yield* filter.flush();
		yield event;
	}
	yield* filter.flush();
	const count = filter.lost();
	if (count === 1) yield { kind: "notice", text: `One citation is not linked: ${why}.` };
	if (count > 1) yield { kind: "notice", text: `${count} citations are not linked: ${why}.` };
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
	// Rejects ambiguous paths: another file may be spelled like the escaped path, or differ in normalization only.
	const isLike = (other: string) => other === written || other.normalize() === path.normalize();
	if (shown.some((one) => one.path !== path && isLike(one.path))) return undefined;
	const near = shown.filter((one) => one.path === path && overlap(one.lines, lines) > 0);
	const best = near.sort((a, b) => overlap(b.lines, lines) - overlap(a.lines, lines))[0];
	if (!best) return undefined;
	const start = Math.max(best.lines.start, lines.start);
	const end = Math.min(best.lines.end, lines.end);
	return { path, lines: { ...best.lines, start, end } };
}
