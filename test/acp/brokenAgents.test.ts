import assert from "node:assert/strict";
import { test } from "node:test";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { createCliRunner } from "../../src/acp/turn/cliRunner.ts";
import { isFailure } from "../../src/base/failure.ts";
import { inTrace, newTraceContext } from "../../src/base/traces/traceContext.ts";
import { createFakePermissions } from "./fakePermissions.ts";
import { answerOf, eventsOf, requestFor, runToEnd, startScriptedAgent } from "./realCli.ts";

for (const [title, prompt, answer, output] of [
	["garbage between the updates loses nothing else", "garbage", "Still here."],
	["unknown updates lose nothing else", "unknown", "Still here."],
	["a call that only looks needs no permission", "looks", "", ""],
	["fifty megabytes of output of one call pass", "flood", "", "50 "],
] as const)
	test(title, async (t) => {
		const { ask } = await startScriptedAgent(t);
		const shown = await ask(prompt);
		const finished = eventsOf(shown, "toolFinished")[0]?.text.slice(0, 3);
		assert.deepEqual([shown.thrown, answerOf(shown), finished], [undefined, answer, output]);
	});

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

test("a call that changed something although nobody was asked stops the turn", async (t) => {
	const { ask } = await startScriptedAgent(t);
	const { thrown } = await ask("unasked");
	assert.ok(isFailure(thrown));
	assert.match(thrown.message, /ran “rm -rf build”, although nobody allowed that/);
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

test("an agent that says nothing is given up", async (t) => {
	for (const [beginning, message, initializeMs] of [
		["mute", /did not respond/, 300],
		["dies", /exit code 7/, 30_000],
	] as const) {
		const { client } = await startScriptedAgent(t, { beginning, initializeMs });
		await assert.rejects(client.ensureStarted(), { code: "CLI_STOPPED", message });
	}
});

test("an agent that does not go when it is told to is killed", async (t) => {
	const { client, pids } = await startScriptedAgent(t, { beginning: "stubborn" });
	await client.ensureStarted();
	await client.stop();
	assert.deepEqual(pids.map(isAlive), [false]);
});
