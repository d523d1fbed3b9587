import assert from "node:assert/strict";
import { test } from "node:test";
import { Index, Session } from "@lancedb/lancedb";
import { connectTo } from "../../../src/store/tables/location.ts";
import { makeFolder } from "../../support/folder.ts";

test("what LanceDB holds in memory is bounded by the session that it was given", async (t) => {
	const session = new Session(10_000_000n, 10_000_000n);
	const connection = await connectTo({ folder: await makeFolder(t) }, session);
	const table = await connection.createTable("words", [{ terms: "lamp dusk" }, { terms: "storm" }]);
	await table.createIndex("terms", { config: Index.fts() });
	const before = session.sizeBytes();
	assert.equal((await table.query().fullTextSearch("storm").toArray()).length, 1);
	assert.ok(session.sizeBytes() > before, "the index that was read is not in the session");
});
