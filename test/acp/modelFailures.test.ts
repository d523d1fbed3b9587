import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { createCliRunner } from "../../src/acp/turn/cliRunner.ts";
import { inTrace, newTraceContext } from "../../src/base/traces/traceContext.ts";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { createFakePermissions } from "../support/fakePermissions.ts";
import { wholeFile } from "../support/wholeFile.ts";
import { answerOf, askOn, assertFailed, eventsOf, startRealCli, startScriptedAgent } from "./realCli.ts";
import type { ScriptedReply, SeenRequest } from "./scriptedModelServer.ts";

const tries = new Map<string, number>();

/** Replies of the model to the first attempt and to the second. */
const replies: Readonly<Record<string, readonly [ScriptedReply, ScriptedReply?]>> = {
	once: [{ status: 500 }],
	cut: [{ text: ["The lamp ", "is "], cut: true }, { text: ["The lamp ", "is lit."] }],
	turncoat: [{ text: ["The lamp is out"], cut: true }],
	say: [{ text: ["Error: so says the log."] }],
	silent: [{ wait: true }],
};

const OVER = /"kind":"notice","text":"[^"]*starts over/;
const TRYING = /"kind":"progress","text":"[^"]*Trying again"/;

function reply({ question }: SeenRequest): ScriptedReply {
	const [, verb = "", status] = /@@(\w+) ?(\d*)/.exec(question) ?? [];
	if (status) return { status: Number(status) };
	const before = tries.get(verb) ?? 0;
	tries.set(verb, before + 1);
	return replies[verb]?.[before] ?? { text: ["All well."] };
}

const cli = await startRealCli(wholeFile(), reply);
await cli.client.ensureStarted();

describe("model failures on the real CLI", { concurrency: true }, () => {
	const ask = async (question: string, options?: Parameters<typeof askOn>[3]) =>
		askOn(cli, await cli.open(), question, options);

	for (const [status, message] of [
		[401, /Sign in again/],
		[400, /400/],
		[404, /not found/i],
	] as const)
		test(`a model that answers ${status} ends the turn with an error that names the next step`, async () => {
			const shown = await ask(`@@status ${status}`);
			await assertFailed(shown, { code: "MODEL_FAILED", message });
			assert.equal(answerOf(shown), "");
		});

	for (const [title, question, answer, told = /./] of [
		["a failed model is tried again; the answer omits the failure", "@@once", "All well.", TRYING],
		["an interrupted answer that is sent again is shown once", "@@cut", "The lamp is lit."],
		["an answer that restarts differently is reported", "@@turncoat", "The lamp is outAll well.", OVER],
		["model text that looks like an error is shown as the answer", "@@say", "Error: so says the log."],
	] as const)
		test(title, async () => {
			const shown = await ask(question);
			assert.deepEqual([shown.thrown, answerOf(shown)], [undefined, answer]);
			assert.match(JSON.stringify(shown.events), told);
		});

	test("a silent model is reported while the user waits", async () => {
		const controller = new AbortController();
		const watch = (event: AgentEvent) => {
			if (event.kind === "progress" && event.text.startsWith("No answer for 1 s")) controller.abort();
		};
		const { events } = await ask("@@silent", { silenceMs: 1000, signal: controller.signal, watch });
		assert.ok(controller.signal.aborted, JSON.stringify(events));
	});

	test("a CLI without sign-in is reported with its own error code", async (t) => {
		const cli = await startRealCli(t, reply, { COPILOT_OFFLINE: "", COPILOT_PROVIDER_BASE_URL: "" });
		await assert.rejects(cli.open(), { code: "CLI_SIGN_IN" });
	});

	test("a CLI that cannot start reports the reason", async (t) => {
		const cli = await startRealCli(t, reply, { COPILOT_PROVIDER_BASE_URL: "" });
		await assert.rejects(cli.client.ensureStarted(), { code: "CLI_STOPPED", message: /not start.*Offline/s });
	});
});

for (const [title, prompt, answer, output] of [
	["invalid and unknown updates leave the other parts of an answer intact", "garbage", "Still here."],
	["a call that only reads needs no permission", "looks", "", ""],
	["a call may output 50 MB", "flood", "", "50 "],
] as const)
	test(title, async (t) => {
		const { ask } = await startScriptedAgent(t);
		const shown = await ask(prompt);
		const finished = eventsOf(shown, "toolFinished")[0]?.text.slice(0, 3);
		assert.deepEqual([shown.thrown, answerOf(shown), finished], [undefined, answer, output]);
	});

test("a prompt passes the trace span of its turn", async (t) => {
	const { ask } = await startScriptedAgent(t);
	const context = newTraceContext();
	const shown = await inTrace(context, () => ask("traced"));
	assert.equal(answerOf(shown), `00-${context.traceId}-${context.spanId}-01`);
	assert.equal(answerOf(await ask("traced")), "none");
});

test("a change that the user was not asked about stops the turn", async (t) => {
	const { ask } = await startScriptedAgent(t);
	await assertFailed(await ask("unasked"), { message: /ran “rm -rf build”, although nobody allowed that/ });
});

test("cancelling does not wait for an agent that does not respond", async (t) => {
	const { ask } = await startScriptedAgent(t);
	const controller = new AbortController();
	const asked = ask("deaf", controller.signal);
	setImmediate(() => controller.abort());
	assert.equal((await asked).thrown, controller.signal.reason);
});

test("a question can be cancelled while the agent starts", async (t) => {
	const { client } = await startScriptedAgent(t, { beginning: "mute" });
	const controller = new AbortController();
	const runner = createCliRunner({
		openSession: () => client.ensureStarted().then(() => assert.fail("It never starts.")),
		permissions: createFakePermissions(),
		askPerson: async () => ({ kind: "deny" }),
	});
	setImmediate(() => controller.abort());
	const events = runner({ question: "Hello", history: [], attachments: [] }, controller.signal);
	await assert.rejects(Array.fromAsync(events), { name: "AbortError" });
});

for (const [title, beginning, code, message, initializeMs = 30_000] of [
	["an agent with an older protocol is reported as too old, and stopped", "old", "CLI_OLD", /./],
	["starting an agent that never responds times out", "mute", "CLI_STOPPED", /did not respond/, 300],
	["an agent that exits at its start is reported with its exit code", "dies", "CLI_STOPPED", /exit code 7/],
] as const)
	test(title, async (t) => {
		const { client, pids } = await startScriptedAgent(t, { beginning, initializeMs });
		await assert.rejects(client.ensureStarted(), { code, message });
		assert.deepEqual(pids.map(isAlive), [false]);
	});

test("an agent that ignores requests to exit is killed", async (t) => {
	const { client, pids } = await startScriptedAgent(t, { beginning: "stubborn" });
	await client.ensureStarted();
	await client.stop();
	assert.deepEqual(pids.map(isAlive), [false]);
});
