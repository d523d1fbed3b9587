import { Failure } from "../../base/failure.ts";
import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import { formatEvidence } from "../../core/knowledge/evidence.ts";
import type { Hit } from "../../core/knowledge/knowledge.ts";

/** What was shown before the next hits of a query. */
interface Shown {
	readonly ids: ReadonlySet<string>;
	/** By an estimate. */
	readonly tokens: number;
}

/** What answers have shown, by the mark with which the next one goes on after it. */
export interface ShownHits {
	/** Nothing without a mark; throws where it is not known any more. */
	before(mark: string | undefined): Shown;
	/** Gives the mark for what is shown now, after what was shown before. */
	mark(before: Shown, hits: readonly Hit[]): string;
}

/** Marks that are kept: a conversation goes on after its last answers. */
const MOST_MARKS = 50;

const NOTHING: Shown = { ids: new Set(), tokens: 0 };

export function createShownHits(): ShownHits {
	const kept = new Map<string, Shown>();
	let last = 0;
	return {
		before: (mark) => {
			const shown = mark === undefined ? NOTHING : kept.get(mark);
			if (shown) return shown;
			throw new Failure("NOT_FOUND", `There is no mark “${mark}” any more: search again without it.`);
		},
		mark: (before, hits) => {
			const mark = `m${++last}`;
			const length = hits.reduce((sum, hit) => sum + formatEvidence(hit).length, 0);
			const tokens = before.tokens + Math.ceil(length / CHARACTERS_PER_TOKEN);
			kept.set(mark, { ids: new Set([...before.ids, ...hits.map(({ id }) => id)]), tokens });
			kept.delete(`m${last - MOST_MARKS}`);
			return mark;
		},
	};
}
