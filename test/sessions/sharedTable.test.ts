import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { MessageRow } from "../../src/sessions/messages/message.ts";
import { makeMessageTable } from "../../src/sessions/messages/messageTable.ts";
import { createSharedTable } from "../../src/sessions/messages/sharedTable.ts";
import { makeHome } from "./temporarySessions.ts";
import { WORKSPACE } from "./turns.ts";

const EMBEDDER = { id: "test", dimensions: 2 };
const QUESTION = { text: "valve", vector: Float32Array.of(1, 0) };
const FREE = { acquire: async () => true, release: async () => undefined };

function row(text: string): MessageRow {
	const place = { session: text, workspace: WORKSPACE, at: 1, end: 1, turn: 0 };
	return { ...place, role: "question", text, vector: Float32Array.of(1, 0) };
}

test("a table that another process makes anew is not taken for the one before, though it has as many versions", async (t) => {
	const options = { folder: join(await makeHome(t), "index"), embedder: EMBEDDER };
	const shared = createSharedTable(options, FREE);
	t.after(() => shared.close());
	const ask = async () => {
		const table = await shared.open();
		const found = await table?.match(QUESTION, { limit: 5, workspace: WORKSPACE });
		return [found?.map(({ text }) => text), await table?.version()];
	};
	await shared.write((table) => table.add([row("old valve")]));
	assert.equal((await shared.look())?.has("old valve"), true);
	const [, version] = await ask();
	// Asked again, the workspace is copied into memory.
	for (let times = 0; times < 3; times++) assert.deepEqual(await ask(), [["old valve"], version]);
	const other = await makeMessageTable(options);
	await other.add([row("new valve")]);
	assert.equal(await other.version(), version);
	await other.close();
	await assert.rejects(ask(), /made anew/);
	shared.distrust();
	assert.deepEqual(await ask(), [["new valve"], version]);
	assert.deepEqual([...((await shared.look()) ?? [])], [["new valve", 1]]);
});
