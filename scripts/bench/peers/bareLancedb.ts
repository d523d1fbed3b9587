import { connect, Index } from "@lancedb/lancedb";
import {
	Field,
	FixedSizeList,
	Float32,
	makeData,
	RecordBatch,
	Schema,
	Struct,
	Table,
	Utf8,
	vectorFromArray,
} from "apache-arrow";
import { type Peer, type PeerData, TOP } from "./peer.ts";

const ROWS_AT_ONCE = 10_000;
/** Maximum number of vectors that are not compressed, as recommended by LanceDB. */
const MOST_EXACT = 10_000;

/** LanceDB alone, with its own hybrid query and its fastest index. */
export const bareLancedb: Peer = {
	name: "LanceDB's own hybrid query",
	by: "both",
	most: 1_000_000,
	open: async (data) => {
		const connection = await connect(data.folder);
		const table = await connection.createTable("passages", toTable(data, 0));
		for (let row = ROWS_AT_ONCE; row < data.texts.length; row += ROWS_AT_ONCE)
			await table.add(toTable(data, row));
		const isLarge = data.texts.length > MOST_EXACT;
		const config = isLarge
			? Index.ivfRq({ distanceType: "cosine", numBits: 2 })
			: Index.ivfFlat({ distanceType: "cosine" });
		await table.createIndex("vector", { config });
		await table.createIndex("content", { config: Index.fts({ withPosition: false }) });
		return {
			count: () => table.countRows(),
			search: ({ text, vector }) => {
				const query = table.query().fullTextSearch(text).nearestTo(vector).distanceType("cosine").nprobes(20);
				if (isLarge) query.refineFactor(3);
				return query.select(["content"]).limit(TOP).toArrow();
			},
			close: () => table.close(),
		};
	},
};

function toTable({ texts, vectors, dimensions }: PeerData, from: number): Table {
	const slice = texts.slice(from, from + ROWS_AT_ONCE);
	const values = vectors.subarray(from * dimensions, (from + slice.length) * dimensions);
	const type = new FixedSizeList(dimensions, new Field("item", new Float32(), true));
	const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
	const schema = new Schema([new Field("content", new Utf8()), new Field("vector", type)]);
	const [content] = vectorFromArray(slice, new Utf8()).data;
	if (!content) throw new Error("Arrow made a column without data.");
	const children = [content, makeData({ type, length: slice.length, nullCount: 0, child })];
	const rows = makeData({ type: new Struct(schema.fields), length: slice.length, nullCount: 0, children });
	return new Table(schema, [new RecordBatch(schema, rows)]);
}
