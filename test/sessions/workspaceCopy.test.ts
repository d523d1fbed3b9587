import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connect, type Table } from "@lancedb/lancedb";
import { createRandom } from "../../scripts/bench/random.ts";
import type { MessageRow } from "../../src/sessions/messages/message.ts";
import { type MessageTable, makeMessageTable } from "../../src/sessions/messages/messageTable.ts";
import { createSharedTable } from "../../src/sessions/messages/sharedTable.ts";
import { copyWorkspace } from "../../src/sessions/messages/workspaceCopies.ts";
import { makeHome } from "./temporarySessions.ts";
import { WORKSPACE } from "./turns.ts";

const DIMENSIONS = 16;
const ELSEWHERE = "file:///projects/it's another";
const random = createRandom(7);

async function makeTable(t: TestContext, dimensions = DIMENSIONS): Promise<[MessageTable, Table]> {
	const folder = join(await makeHome(t), "index");
	const messages = await makeMessageTable({ folder, embedder: { id: "test", dimensions } });
	const table = await (await connect(folder, { readConsistencyInterval: 0 })).openTable("messages");
	t.after(async () => {
		await messages.close();
		table.close();
	});
	return [messages, table];
}

function rowsOf(workspace: string, count: number, dimensions = DIMENSIONS): MessageRow[] {
	return Array.from({ length: count }, (_, index) => ({
		session: `${workspace.length}-${index >> 1}`,
		workspace,
		role: index % 2 === 0 ? "question" : "answer",
		...{ at: index, end: 100 * (index + 1), turn: 0, text: `word${index}` },
		vector: unit(dimensions),
	}));
}

function unit(dimensions: number): Float32Array {
	const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5);
	const length = Math.hypot(...vector);
	return vector.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
	return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

test("a copy has all of its workspace and nothing else, and finds the nearest of it", async (t) => {
	const [messages, table] = await makeTable(t);
	const own = rowsOf(ELSEWHERE, 500);
	await messages.add([...rowsOf(WORKSPACE, 200), ...own]);
	const copy = await copyWorkspace(table, ELSEWHERE, DIMENSIONS);
	for (let round = 0; round < 20; round++) {
		const wanted = unit(DIMENSIONS);
		const found = copy?.rowsAt(copy.near(wanted, 10)) ?? [];
		const nearest = own.toSorted((a, b) => dot(b.vector, wanted) - dot(a.vector, wanted)).slice(0, 10);
		const texts = new Set(found.map(({ text }) => text));
		assert.ok(nearest.filter(({ text }) => texts.has(text)).length >= 9);
		for (const { text, vector } of found) {
			const row = own.find((one) => one.text === text);
			assert.ok(row && dot(row.vector, vector) > 0.995);
		}
	}
	assert.deepEqual(copy?.near(unit(3), 10), []);
	assert.deepEqual(copy?.near(new Float32Array(DIMENSIONS), 10), []);
});

test("what is too much for memory is not copied", async (t) => {
	const [messages, table] = await makeTable(t, 0);
	const rows = rowsOf(WORKSPACE, 20_001, 0);
	await messages.add(rows.slice(1));
	assert.ok(await copyWorkspace(table, WORKSPACE, 0));
	await messages.add(rows.slice(0, 1));
	assert.equal(await copyWorkspace(table, WORKSPACE, 0), undefined);
});

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
