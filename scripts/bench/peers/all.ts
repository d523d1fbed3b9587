import { bareLancedb } from "./bareLancedb.ts";
import { bruteForce } from "./bruteForce.ts";
import type { Peer } from "./peer.ts";
import { miniSearch, orama } from "./scriptPeers.ts";
import { sqliteFts5, sqliteVec } from "./sqlitePeers.ts";
import { usearchExact, usearchHnsw } from "./usearchPeers.ts";

export const peers: readonly Peer[] = [
	bruteForce,
	usearchExact,
	usearchHnsw,
	sqliteVec,
	sqliteFts5,
	miniSearch,
	orama,
	bareLancedb,
];
