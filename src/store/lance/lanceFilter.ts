import { rememberFor } from "../../base/jobs/lazily.ts";
import type { PlaceRef } from "../../search/rowColumns.ts";
import type { Snapshot } from "../database/database.ts";
import { isAmong, keyOf } from "../database/passageReads.ts";
import type { MatchOptions } from "../port/store.ts";
import { typeKeyOf } from "../tables/columns.ts";
import { revisionsOf } from "../tables/manifest.ts";
import { isOneOf, quote } from "../tables/query.ts";

/** Maximum number of documents in a condition; with more, results are filtered afterwards. */
const MOST_NAMED = 10_000;

/** The condition for LanceDB, and the filter for its results. */
export type LanceFilter = ReturnType<typeof lanceFilterOf>;

/** `places`: restricts the search to these, for example to passages with a phrase. */
export function lanceFilterOf(
	{ among, uris = among, types }: MatchOptions,
	snapshot: Snapshot,
	places?: readonly PlaceRef[],
) {
	const { manifest } = snapshot;
	const documents = uris && documentsOf(uris, snapshot);
	const seen = among && documentsOf(among, snapshot);
	const named = places && new Set(places.map(keyOf));
	const conditions = [
		documents?.isFew && isOneOf("revision", [...documents.revisions]),
		// As the classes are kept, by IRI and by last segment.
		types && `array_has_any(types, [${types.map(typeKeyOf).map(quote).join(", ")}])`,
		places && isAmong(places),
	].filter((condition) => typeof condition === "string");
	return {
		/** SQL; absent if LanceDB need not filter. */
		...(conditions.length > 0 && { condition: conditions.map((one) => `(${one})`).join(" AND ") }),
		/** Whether so few rows remain that each is compared. */
		isNarrow: named !== undefined || documents?.isFew === true,
		/** Whether a passage may be found; its document must also be committed. */
		lets: (place: PlaceRef): boolean =>
			manifest.uriOf(place.revision) !== undefined &&
			(documents?.revisions.has(place.revision) ?? true) &&
			(seen?.revisions.has(place.revision) ?? true) &&
			(named?.has(keyOf(place)) ?? true),
	};
}

/** A channel names the same documents again and again. */
const documentsOf = rememberFor((uris: readonly string[], { manifest }: Snapshot) => {
	const revisions: ReadonlySet<number> = new Set(revisionsOf(uris, manifest));
	return { revisions, isFew: revisions.size <= MOST_NAMED };
});
