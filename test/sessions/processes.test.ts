import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connect, type Table } from "@lancedb/lancedb";
import { createRandom } from "../../scripts/bench/random.ts";
import type { MessageRow } from "../../src/sessions/messages/message.ts";
import { type MessageTable, makeMessageTable } from "../../src/sessions/messages/messageTable.ts";
import { createSharedTable } from "../../src/sessions/messages/sharedTable.ts";
import { copyWorkspace } from "../../src/sessions/messages/workspaceCopies.ts";
import { assertNone } from "../support/assertNone.ts";
import { KILLS } from "../support/kills.ts";
import { makeHome, never, openIn } from "./temporarySessions.ts";
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

/** Every so many runs are killed while they fill the index too. */
const INDEXED = 3;

test(`a process that is killed at any point loses no turn that it said was saved, ${KILLS} times`, async (t) => {
	const home = await makeHome(t);
	const saved: string[] = [];
	for (let kill = 0; kill < KILLS; kill++) {
		// Three runs go on with the same sessions, and with the lines that the one before has torn.
		const name = `run${kill - (kill % 3)}`;
		const mode = kill % INDEXED === INDEXED - 1 ? "indexed" : "journals";
		const lines = mode === "indexed" ? 60 + ((kill * 7) % 80) : (kill * 7) % 40;
		saved.push(...(await runUntil(lines, { home, name, run: kill, mode })));
	}
	assert.ok(saved.length >= KILLS, "The programs have saved something.");
	const { sessions, settle } = openIn(t, home, { mayFail: true });
	for (const [id, texts] of bySession(saved)) {
		const { turns } = await sessions.read(id, never);
		const answered = new Set(turns.filter(({ answer }) => answer !== "").map(({ question }) => question));
		assertNone(texts.filter(([, text = ""]) => !answered.has(text)));
	}
	const { total } = await sessions.list({ limit: 1 }, never);
	assert.equal(total, (await readdir(join(home, "journals"))).length);
	await settle();
	const [id, text = ""] = saved.at(-1)?.split("\t") ?? [];
	const hits = await sessions.search({ text, limit: 500 }, never);
	const isWhole = hits.some(({ session, excerpt }) => session.id === id && excerpt === text);
	assert.ok(isWhole, "The index has healed.");
});

test("two processes that write the same sessions at once keep all their lines whole", async (t) => {
	const home = await makeHome(t);
	const runs = [1, 2].map((run) => runUntil(150, { home, name: "shared", run, mode: "journals" }));
	const saved = (await Promise.all(runs)).flat();
	const { sessions } = openIn(t, home);
	for (const [id, lines] of bySession(saved)) {
		const questions = (await sessions.read(id, never)).turns.map(({ question }) => question);
		assertNone(lines.filter(([, text = ""]) => !questions.includes(text)));
		for (const question of questions)
			assert.match(question, new RegExp(`^question \\d+ of run [12] in ${id}$`));
		assert.deepEqual([...new Set(questions)], questions);
	}
});

function bySession(saved: readonly string[]) {
	const parts = saved.map((line) => line.split("\t"));
	return Map.groupBy(parts, ([id = ""]) => id);
}

/** Starts the program, and kills it once it has said so many lines: at another point of its writes each time. */
async function runUntil(
	lines: number,
	{ home, name, run, mode }: { home: string; name: string; run: number; mode: "journals" | "indexed" },
): Promise<string[]> {
	const program = new URL("./appendProgram.ts", import.meta.url);
	const child = fork(program, [home, name, String(run), mode], { silent: true });
	let output = "";
	for await (const chunk of child.stdout?.setEncoding("utf8") ?? []) {
		output += chunk;
		if (output.split("\n").length > lines) child.kill("SIGKILL");
	}
	// A line that the kill has torn says nothing.
	return output.split("\n").slice(0, -1);
}
