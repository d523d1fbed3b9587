import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sessionsChanged } from "../../src/protocol/sessions.ts";
import { createMemoryClient, createSessionsClient } from "../../src/protocol/sessionsClient.ts";
import { conversation, WORKSPACE } from "../sessions/turns.ts";
import { MODEL_FOLDER, never, startWorker } from "./workerProcess.ts";
import { makeWorkspace } from "./workspace.ts";

const CLOCK = conversation([["Who winds the clock?", "The second keeper."]]);

async function open(t: TestContext, dataFolder: string) {
	const sessionsFolder = join(dataFolder, "..", "sessions");
	const worker = await startWorker(t, { dataFolder, sessionsFolder, modelFolder: MODEL_FOLDER, folders: [] });
	const { connection } = worker;
	return { ...worker, sessions: createSessionsClient(connection), memory: createMemoryClient(connection) };
}

test("sessions and memory answer over the pipe, and outlive their worker", async (t) => {
	const { dataFolder } = await makeWorkspace(t);
	const first = await open(t, dataFolder);
	const { promise: heard, resolve } = Promise.withResolvers<readonly string[]>();
	first.connection.onNotification(sessionsChanged, ({ ids }) => resolve(ids));
	await first.sessions.append("clock", CLOCK, never);
	assert.deepEqual(await heard, ["clock"]);
	const { fact } = await first.memory.remember(
		{ text: "The lamp burns oil.", scope: "user", source: { by: "person" } },
		never,
	);
	await first.kill();
	const { sessions, memory } = await open(t, dataFolder);
	assert.equal((await sessions.list({ limit: 9 }, never)).total, 1);
	assert.equal((await sessions.read("clock", never)).turns[0]?.answer, "The second keeper.");
	assert.equal((await sessions.search({ text: "winding clocks", limit: 1 }, never))[0]?.session.id, "clock");
	assert.equal(
		(await memory.recall({ query: "lamp oil", workspace: WORKSPACE, door: "chat" }, never))[0]?.fact?.id,
		fact.id,
	);
	const edited = await memory.edit(fact.id, "The lamp burns gas.", never);
	assert.deepEqual(await memory.facts({ workspace: WORKSPACE }, never), [edited]);
	await memory.forget(fact.id, never);
	assert.deepEqual(await memory.facts({ workspace: WORKSPACE }, never), []);
	const fork = await sessions.fork("clock", 1, never);
	await sessions.delete("clock", never);
	assert.deepEqual(
		(await sessions.list({ limit: 9 }, never)).sessions.map(({ id }) => id),
		[fork],
	);
	await sessions.restore("clock", never);
	await assert.rejects(sessions.read("../clock", never), { name: "Failure", code: "BAD_INPUT" });
});

test("a stop of the worker leaves nothing of a session open", async (t) => {
	const { dataFolder } = await makeWorkspace(t);
	const { sessions, stop } = await open(t, dataFolder);
	await sessions.append("clock", CLOCK, never);
	await stop();
	const again = await open(t, dataFolder);
	assert.equal((await again.sessions.read("clock", never)).turns.length, 1);
});

test("sessions are kept where the index of the documents is broken", async (t) => {
	const { dataFolder } = await makeWorkspace(t);
	await mkdir(dataFolder, { recursive: true });
	await writeFile(join(dataFolder, "index"), "a file in its place");
	const { sessions, knowledge, process: child } = await open(t, dataFolder);
	const exited = once(child, "exit");
	await assert.rejects(knowledge.search({ query: "clock", door: "chat" }, never));
	await sessions.append("clock", CLOCK, never);
	assert.equal((await sessions.read("clock", never)).turns.length, 1);
	child.kill("SIGKILL");
	await exited;
	await assert.rejects(sessions.read("clock", never), { code: "WORKER_STOPPED" });
});
