import assert from "node:assert/strict";
import { test } from "node:test";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { createCliRunner } from "../../src/acp/turn/cliRunner.ts";
import { isFailure } from "../../src/base/failure.ts";
import { inTrace, newTraceContext } from "../../src/base/traces/traceContext.ts";
import { createFakePermissions } from "./fakePermissions.ts";
import { answerOf, eventsOf, requestFor, runToEnd, startScriptedAgent } from "./realCli.ts";

for (const what of ["garbage", "unknown"]) {
	test(`${what} between the updates loses nothing else`, async (t) => {
		const { ask } = await startScriptedAgent(t);
		const shown = await ask(what);
		assert.equal(shown.thrown, undefined);
		assert.equal(answerOf(shown), "Still here.");
	});
}

test("a prompt names the span of the turn that it is asked in", async (t) => {
	const { ask } = await startScriptedAgent(t);
	const context = newTraceContext();
	const shown = await inTrace(context, () => ask("traced"));
	assert.equal(answerOf(shown), `00-${context.traceId}-${context.spanId}-01`);
	assert.equal(answerOf(await ask("traced")), "none");
});

test("an agent that dies in the middle of a line ends the turn, keeps what was said, and is replaced", async (t) => {
	const { ask, pids } = await startScriptedAgent(t);
	const shown = await ask("crash");
	assert.ok(isFailure(shown.thrown) && shown.thrown.code === "CLI_STOPPED", String(shown.thrown));
	assert.match(shown.thrown.message, /exit code 3/);
	assert.equal(answerOf(shown), "Half of ");
	assert.equal((await ask("looks")).thrown, undefined);
	assert.equal(pids.length, 2);
});

test("fifty megabytes of output of one call pass", async (t) => {
	const { ask } = await startScriptedAgent(t);
	const shown = await ask("flood");
	assert.equal(shown.thrown, undefined);
	assert.equal(eventsOf(shown, "toolFinished")[0]?.text.slice(0, 3), "50 ");
});

test("a call that changed something although nobody was asked stops the turn", async (t) => {
	const { ask } = await startScriptedAgent(t);
	const { thrown } = await ask("unasked");
	assert.ok(isFailure(thrown));
	assert.match(thrown.message, /ran “rm -rf build”, although nobody allowed that/);
});

test("a call that only looks needs no permission", async (t) => {
	const { ask } = await startScriptedAgent(t);
	assert.equal((await ask("looks")).thrown, undefined);
});

test("an agent that does not answer a cancellation is not waited for", async (t) => {
	const { ask } = await startScriptedAgent(t);
	const controller = new AbortController();
	const asked = ask("deaf", controller.signal);
	setImmediate(() => controller.abort());
	assert.equal((await asked).thrown, controller.signal.reason);
});

test("a question that is cancelled while the agent starts waits no longer", async (t) => {
	const { client } = await startScriptedAgent(t, { beginning: "mute" });
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
	const { client, pids } = await startScriptedAgent(t, { beginning: "old" });
	await assert.rejects(client.ensureStarted(), { code: "CLI_OLD" });
	assert.deepEqual(pids.map(isAlive), [false]);
});

test("an agent that dies while starting is reported with its exit code", async (t) => {
	const { client } = await startScriptedAgent(t, { beginning: "dies" });
	await assert.rejects(client.ensureStarted(), { code: "CLI_STOPPED", message: /exit code 7/ });
});

test("an agent that says nothing is given up", async (t) => {
	const { client } = await startScriptedAgent(t, { beginning: "mute", initializeMs: 300 });
	await assert.rejects(client.ensureStarted(), { code: "CLI_STOPPED", message: /did not respond/ });
});

test("an agent that does not go when it is told to is killed", async (t) => {
	const { client, pids } = await startScriptedAgent(t, { beginning: "stubborn" });
	await client.ensureStarted();
	await client.stop();
	assert.deepEqual(pids.map(isAlive), [false]);
});
