import { exactSearch, Index, MetricKind, ScalarKind } from "usearch";
import { type Peer, TOP } from "./peer.ts";

/** The baseline in native code: compares every vector, with SIMD, on one thread. */
export const usearchExact: Peer = {
	name: "usearch exact",
	by: "vector",
	most: 1_000_000,
	open: ({ vectors, dimensions }) => ({
		count: () => vectors.length / dimensions,
		search: ({ vector }) => exactSearch(vectors, vector, dimensions, TOP, MetricKind.IP, 1),
		close: () => undefined,
	}),
};

/** An approximate index: fast to query, slow to build. */
export const usearchHnsw: Peer = {
	name: "usearch HNSW, 8 bits",
	by: "vector",
	most: 100_000,
	open: ({ vectors, dimensions }) => {
		const index = new Index({
			...{ dimensions, metric: MetricKind.IP, quantization: ScalarKind.I8 },
			// The defaults of usearch for neighbors and candidates.
			...{ connectivity: 16, expansion_add: 128, expansion_search: 64, multi: false },
		});
		const count = vectors.length / dimensions;
		index.add(
			BigUint64Array.from({ length: count }, (_, row) => BigInt(row)),
			vectors,
			2,
		);
		return {
			count: () => Number(index.size()),
			search: ({ vector }) => index.search(vector, TOP, 1),
			close: () => undefined,
		};
	},
};
