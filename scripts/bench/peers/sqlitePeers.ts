import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { getLoadablePath } from "sqlite-vec";
import { type Peer, type PeerData, TOP } from "./peer.ts";

export const sqliteFts5: Peer = {
	name: "SQLite FTS5",
	by: "text",
	most: 100_000,
	open: (data) => {
		const database = new DatabaseSync(join(data.folder, "fts.db"));
		database.exec("CREATE VIRTUAL TABLE passages USING fts5(content, tokenize = 'porter')");
		fill(
			database,
			data,
			"INSERT INTO passages(rowid, content) VALUES (?, ?)",
			(row) => data.texts[row] ?? "",
		);
		const select = database.prepare(
			`SELECT rowid, content FROM passages WHERE passages MATCH ? ORDER BY bm25(passages) LIMIT ${TOP}`,
		);
		return {
			count: () => countOf(database),
			search: ({ text }) => select.all(anyOf(text)),
			close: () => database.close(),
		};
	},
};

export const sqliteVec: Peer = {
	name: "sqlite-vec",
	by: "vector",
	most: 100_000,
	open: (data) => {
		const { dimensions, vectors } = data;
		const database = new DatabaseSync(join(data.folder, "vec.db"), { allowExtension: true });
		database.loadExtension(getLoadablePath());
		database.exec(`CREATE VIRTUAL TABLE passages USING vec0(embedding float[${dimensions}])`);
		fill(database, data, "INSERT INTO passages(rowid, embedding) VALUES (?, ?)", (row) =>
			bytesOf(vectors.subarray(row * dimensions, (row + 1) * dimensions)),
		);
		const select = database.prepare(
			`SELECT rowid, distance FROM passages WHERE embedding MATCH ? ORDER BY distance LIMIT ${TOP}`,
		);
		return {
			count: () => countOf(database),
			search: ({ vector }) => select.all(bytesOf(vector)),
			close: () => database.close(),
		};
	},
};

function fill(
	database: DatabaseSync,
	{ texts }: PeerData,
	sql: string,
	valueAt: (row: number) => string | Uint8Array,
): void {
	const insert = database.prepare(sql);
	database.exec("BEGIN");
	for (const row of texts.keys()) insert.run(BigInt(row + 1), valueAt(row));
	database.exec("COMMIT");
}

function countOf(database: DatabaseSync): number {
	return Number(database.prepare("SELECT count(*) AS n FROM passages").get()?.["n"]);
}

/** A query for any of the words, as in the other engines. */
function anyOf(text: string): string {
	return text
		.split(" ")
		.map((word) => `"${word}"`)
		.join(" OR ");
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
	return new Uint8Array(buffer, byteOffset, byteLength);
}
