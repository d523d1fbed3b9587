import assert from "node:assert/strict";
import { resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { createAcpClient } from "../../src/acp/link/acpClient.ts";
import { startCli } from "../../src/acp/link/cliProcess.ts";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { createSessionFiles } from "../../src/acp/stored/storedSessions.ts";
import { createCliRunner } from "../../src/acp/turn/cliRunner.ts";
import { createCliSessions } from "../../src/acp/turn/session/cliSessions.ts";
import { isFailure } from "../../src/base/failure.ts";
import { inTrace, newTraceContext } from "../../src/base/traces/traceContext.ts";
import { createFakePermissions } from "./fakePermissions.ts";
import { answerOf, eventsOf, makeFolder, requestFor, runnerOn, runToEnd } from "./realCli.ts";

/** An agent that does what the real CLI cannot be made to do. */
async function startAgent(t: TestContext, beginning = "", initializeMs = 30_000) {
	const folder = await makeFolder(t);
	const pids: number[] = [];
	const open = async () => {
		const args = [resolve("test/acp/scriptedAgent.ts"), beginning];
		const options = { command: process.execPath, args, cwd: folder, env: process.env, graceMs: 500 };
		const link = startCli(options);
		pids.push(link.pid ?? 0);
		return link;
	};
	const client = createAcpClient({ open, version: "0.0.0", initializeMs });
	t.after(() => client.stop());
	const files = createSessionFiles(folder);
	const sessions = createCliSessions({ client, files, mayAllowAll: async () => false });
	return {
		client,
		pids,
		ask: async (question: string, signal?: AbortSignal) => {
			const session = await sessions.create({ cwd: folder, mcpServers: [] });
			return runToEnd(runnerOn({ files }, session), requestFor(question), signal);
		},
	};
}

for (const what of ["garbage", "unknown"]) {
	test(`${what} between the updates loses nothing else`, async (t) => {
		const { ask } = await startAgent(t);
		const shown = await ask(what);
		assert.equal(shown.thrown, undefined);
		assert.equal(answerOf(shown), "Still here.");
	});
}

test("a prompt names the span of the turn that it is asked in", async (t) => {
	const { ask } = await startAgent(t);
	const context = newTraceContext();
	const shown = await inTrace(context, () => ask("traced"));
	assert.equal(answerOf(shown), `00-${context.traceId}-${context.spanId}-01`);
	assert.equal(answerOf(await ask("traced")), "none");
});

test("an agent that dies in the middle of a line ends the turn, keeps what was said, and is replaced", async (t) => {
	const { ask, pids } = await startAgent(t);
	const shown = await ask("crash");
	assert.ok(isFailure(shown.thrown) && shown.thrown.code === "CLI_STOPPED", String(shown.thrown));
	assert.match(shown.thrown.message, /exit code 3/);
	assert.equal(answerOf(shown), "Half of ");
	assert.equal((await ask("looks")).thrown, undefined);
	assert.equal(pids.length, 2);
});

test("fifty megabytes of output of one call pass", async (t) => {
	const { ask } = await startAgent(t);
	const shown = await ask("flood");
	assert.equal(shown.thrown, undefined);
	assert.equal(eventsOf(shown, "toolFinished")[0]?.text.slice(0, 3), "50 ");
});

test("a call that changed something although nobody was asked stops the turn", async (t) => {
	const { ask } = await startAgent(t);
	const { thrown } = await ask("unasked");
	assert.ok(isFailure(thrown));
	assert.match(thrown.message, /ran “rm -rf build”, although nobody allowed that/);
});

test("a call that only looks needs no permission", async (t) => {
	const { ask } = await startAgent(t);
	assert.equal((await ask("looks")).thrown, undefined);
});

test("an agent that does not answer a cancellation is not waited for", async (t) => {
	const { ask } = await startAgent(t);
	const controller = new AbortController();
	const asked = ask("deaf", controller.signal);
	setImmediate(() => controller.abort());
	assert.equal((await asked).thrown, controller.signal.reason);
});

test("a question that is cancelled while the agent starts waits no longer", async (t) => {
	const { client } = await startAgent(t, "mute");
	const controller = new AbortController();
	const runner = createCliRunner({
		openSession: async () => {
			await client.ensureStarted();
			throw new Error("It never starts.");
		},
		permissions: createFakePermissions(),
		askPerson: async () => ({ kind: "deny" }),
	});
	setImmediate(() => controller.abort());
	const { thrown } = await runToEnd(runner, requestFor("Hello"), controller.signal);
	assert.equal(thrown, controller.signal.reason);
});

test("an agent with an older protocol is reported as too old, and ended", async (t) => {
	const { client, pids } = await startAgent(t, "old");
	await assert.rejects(client.ensureStarted(), { code: "CLI_OLD" });
	assert.deepEqual(pids.map(isAlive), [false]);
});

test("an agent that dies while starting is reported with its exit code", async (t) => {
	const { client } = await startAgent(t, "dies");
	await assert.rejects(client.ensureStarted(), { code: "CLI_STOPPED", message: /exit code 7/ });
});

test("an agent that says nothing is given up", async (t) => {
	const { client } = await startAgent(t, "mute", 300);
	await assert.rejects(client.ensureStarted(), { code: "CLI_STOPPED", message: /did not respond/ });
});

test("an agent that does not go when it is told to is killed", async (t) => {
	const { client, pids } = await startAgent(t, "stubborn");
	await client.ensureStarted();
	await client.stop();
	assert.deepEqual(pids.map(isAlive), [false]);
});
