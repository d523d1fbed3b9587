import type { Database } from "../database/database.ts";
import type { SubjectPlaces } from "../database/subjectPlaces.ts";
import type { SearchEngine } from "../port/engine.ts";
import { createLiveIndex, type SnapshotPlace } from "./liveIndex.ts";
import { createMemoryReads } from "./memoryReads.ts";
import { createRowDocuments } from "./rowDocuments.ts";
import { createSearches } from "./searches.ts";

/** Searches a copy of the passages in this process. */
export function createMemoryEngine(
	database: Database,
	place: SnapshotPlace,
	placesAbout: SubjectPlaces,
): SearchEngine {
	const live = createLiveIndex(database, place);
	const reads = createMemoryReads(database, live);
	return {
		kind: "memory",
		...reads,
		...createSearches(database, live, { ...reads, placesAbout }),
		...createRowDocuments(database, live),
		follow: async () => {
			await live.current();
		},
		stage: live.stage,
		unstage: live.unstage,
		commit: live.commit,
		settle: async () => undefined,
		tidy: live.tidy,
		drop: live.dropSnapshots,
		close: live.close,
	};
}
