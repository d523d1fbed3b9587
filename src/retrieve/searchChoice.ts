import { CHARACTERS_PER_TOKEN } from "../base/text/tokenEstimate.ts";
import { formatEvidence } from "../core/knowledge/evidence.ts";
import type { Hit, SearchQuery } from "../core/knowledge/knowledge.ts";
import type { PassageReads } from "../store/port/store.ts";
import { type Fused, fuse, rankDocuments } from "./fuse.ts";
import type { LegRun } from "./legs.ts";
import { rankByLikeness } from "./rankByLikeness.ts";
import { STATIC_SCALE } from "./vectorScale.ts";

export function rankChosen(
	run: LegRun,
	{ index }: SearchQuery,
	store: Pick<PassageReads, "centreOf" | "cosines">,
): readonly Fused[] {
	if (index === "descriptor") return rankDocuments(run.descriptor ?? []);
	const { vector, scale = STATIC_SCALE } = run;
	return vector ? rankByLikeness(fuse(run), store, scale) : fuse(run);
}

/** The first hits that fit, up to one that does not. */
export function withinTokens(hits: readonly Hit[], maxTokens?: number): readonly Hit[] {
	if (maxTokens === undefined) return hits;
	let room = maxTokens * CHARACTERS_PER_TOKEN;
	const end = hits.findIndex((hit) => {
		room -= formatEvidence(hit).length;
		return room < 0;
	});
	return end < 0 ? hits : hits.slice(0, end);
}

export function choiceNotices({ index, maxTokens }: SearchQuery, run: LegRun, cut: number): string[] {
	const passages = cut === 1 ? "1 passage was" : `${cut} passages were`;
	return [
		...(index === "descriptor" && !run.descriptor ? [UNDESCRIBED] : []),
		...(cut > 0
			? [`${passages} left out: together they take more than ${maxTokens} tokens (maxTokens).`]
			: []),
	];
}

const UNDESCRIBED =
	"Descriptions were searched, and there are none. Run “Describe Documents” in “Copilot-LD: Index Status…”, or search the content.";
