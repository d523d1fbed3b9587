import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Person } from "../../src/core/session/memory.ts";
import type { SessionChange } from "../../src/core/session/session.ts";
import { sessionsChanged } from "../../src/protocol/worker.ts";
import { BERIT, conversation, turnOf, WORKSPACE } from "../sessions/turns.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { MODEL_FOLDER, never, startWorker } from "./workerProcess.ts";
import { makeWorkspace } from "./workspace.ts";

const CLOCK = conversation([["Who winds the clock?", "The second keeper."]]);

async function open(t: TestContext, dataFolder: string, person?: Person) {
	const sessionsFolder = join(dataFolder, "..", "sessions");
	const options = { dataFolder, sessionsFolder, modelFolder: MODEL_FOLDER, folders: [] };
	return startWorker(t, { ...options, ...(person && { person }) });
}

test("sessions and memory answer over the pipe, and outlive their worker", async (t) => {
	const { dataFolder } = await makeWorkspace(t);
	const first = await open(t, dataFolder);
	const { promise: heard, resolve } = Promise.withResolvers<readonly SessionChange[]>();
	first.connection.onNotification(sessionsChanged, ({ changes }) => resolve(changes));
	await first.sessions.append("clock", CLOCK, never);
	const { session: clock } = await first.sessions.read("clock", never);
	assert.deepEqual(await heard, [{ id: "clock", after: clock }]);
	const oil = { text: "The lamp burns oil.", scope: "user", source: { by: "person" } } as const;
	const { fact } = await first.memory.remember(oil, never);
	await first.kill();
	const { sessions, memory } = await open(t, dataFolder);
	assert.equal((await sessions.list({ limit: 9 }, never)).total, 1);
	assert.equal((await sessions.read("clock", never)).turns[0]?.answer, "The second keeper.");
	assert.equal((await sessions.search({ text: "winding clocks", limit: 1 }, never))[0]?.session.id, "clock");
	const query = { query: "lamp oil", workspace: WORKSPACE, door: "chat" } as const;
	assert.equal((await memory.recall(query, never))[0]?.fact?.id, fact.id);
	const edited = await memory.edit(fact.id, "The lamp burns gas.", never);
	assert.deepEqual(await memory.facts({ workspace: WORKSPACE }, never), [edited]);
	await memory.forget(fact.id, never);
	assert.deepEqual(await memory.facts({ workspace: WORKSPACE }, never), []);
	const fork = await sessions.fork("clock", 1, never);
	await sessions.delete("clock", never);
	assertMapped((await sessions.list({ limit: 9 }, never)).sessions, ({ id }) => id, [fork]);
	await sessions.restore("clock", never);
	await assert.rejects(sessions.read("../clock", never), { name: "Failure", code: "BAD_INPUT" });
});

test("sessions are kept where the index of the documents is broken", async (t) => {
	const { dataFolder } = await makeWorkspace(t);
	await mkdir(dataFolder, { recursive: true });
	await writeFile(join(dataFolder, "index"), "a file in its place");
	const { sessions, search, process: child } = await open(t, dataFolder);
	const exited = once(child, "exit");
	await assert.rejects(search("clock"));
	await sessions.append("clock", CLOCK, never);
	assert.equal((await sessions.read("clock", never)).turns.length, 1);
	child.kill("SIGKILL");
	await exited;
	await assert.rejects(sessions.read("clock", never), { code: "WORKER_STOPPED" });
});

test("two persons in one folder have each their own sessions and memory, at the same time and after a restart", async (t) => {
	const { dataFolder } = await makeWorkspace(t);
	const cleo: Person = { source: "github", id: "7", label: "cleo" };
	const [berit, other] = [await open(t, dataFolder, BERIT), await open(t, dataFolder, cleo)];
	const fact = { text: "I like short answers.", scope: "user", source: { by: "person" } } as const;
	await berit.sessions.append("clock", CLOCK, never);
	await other.sessions.append("bell", conversation([["Who rings the bell?", "Cleo."]]), never);
	await Promise.all([berit, other].map(({ memory }) => memory.remember(fact, never)));
	await berit.stop();
	await other.stop();
	for (const [person, own, foreign] of [
		[BERIT, "clock", "bell"],
		[cleo, "bell", "clock"],
	] as const) {
		const { sessions, memory } = await open(t, dataFolder, person);
		const { sessions: listed } = await sessions.list({ limit: 9 }, never);
		assertMapped(listed, ({ id }) => id, [own]);
		for (const hit of await sessions.search({ text: "who clock bell", limit: 9 }, never))
			assert.equal(hit.session.id, own);
		const query = { query: "clock bell", workspace: WORKSPACE, door: "chat" } as const;
		for (const { session } of await memory.recall(query, never))
			assert.ok(session === undefined || session.id === own);
		assert.equal((await memory.facts({ workspace: WORKSPACE }, never)).length, 1);
		await assert.rejects(sessions.delete(foreign, never), { code: "NOT_FOUND" });
		await assert.rejects(sessions.append(foreign, turnOf(1, "When?", "Now."), never), { code: "NOT_FOUND" });
	}
});

test("who agrees to be known by more than their system's name keeps their sessions", async (t) => {
	const { dataFolder } = await makeWorkspace(t);
	const before = await open(t, dataFolder);
	await before.sessions.append("clock", CLOCK, never);
	await before.stop();
	const { sessions } = await open(t, dataFolder, BERIT);
	assert.equal((await sessions.list({ limit: 9 }, never)).total, 1);
});
