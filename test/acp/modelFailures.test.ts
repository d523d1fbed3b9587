import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { createCliRunner } from "../../src/acp/turn/cliRunner.ts";
import { isFailure } from "../../src/base/failure.ts";
import { inTrace, newTraceContext } from "../../src/base/traces/traceContext.ts";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { createFakePermissions } from "../support/fakePermissions.ts";
import { wholeFile } from "../support/wholeFile.ts";
import {
	answerOf,
	askOn,
	eventsOf,
	requestFor,
	runToEnd,
	type Shown,
	startRealCli,
	startScriptedAgent,
} from "./realCli.ts";
import type { ScriptedReply, SeenRequest } from "./scriptedModelServer.ts";

const tries = new Map<string, number>();

/** What the model does at its first try, and at those that follow. */
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

describe("a model that fails behind the real CLI", { concurrency: true }, () => {
	async function ask(question: string, options?: Parameters<typeof askOn>[3]): Promise<Shown> {
		const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
		return askOn(cli, session, question, options);
	}

	for (const [status, words] of [
		[401, /Sign in again/],
		[400, /400/],
		[404, /not found/i],
	] as const)
		test(`one that answers ${status} ends the turn with words that say what to do`, async () => {
			const shown = await ask(`@@status ${status}`);
			const { thrown } = shown;
			assert.ok(isFailure(thrown) && thrown.code === "MODEL_FAILED", String(thrown));
			assert.match(thrown.message, words);
			assert.equal(answerOf(shown), "");
		});

	for (const [title, question, answer, told = /./] of [
		["one that fails once is tried again, which is no part of the answer", "@@once", "All well.", TRYING],
		["an answer that was cut is shown once, although it is sent twice", "@@cut", "The lamp is lit."],
		["one that goes otherwise after a cut says so", "@@turncoat", "The lamp is outAll well.", OVER],
		["words of the model that look like an error are its answer", "@@say", "Error: so says the log."],
	] as const)
		test(title, async () => {
			const shown = await ask(question);
			assert.deepEqual([shown.thrown, answerOf(shown)], [undefined, answer]);
			assert.match(JSON.stringify(shown.events), told);
		});

	test("one that stays silent is reported while the person waits", async () => {
		const controller = new AbortController();
		const watch = (event: AgentEvent) => {
			if (event.kind === "progress" && event.text.startsWith("No answer for 1 s")) controller.abort();
		};
		const { events } = await ask("@@silent", { silenceMs: 1000, signal: controller.signal, watch });
		assert.ok(controller.signal.aborted, JSON.stringify(events));
	});

	test("the CLI that is not signed in says so", async (t) => {
		const cli = await startRealCli(t, reply, { COPILOT_OFFLINE: "", COPILOT_PROVIDER_BASE_URL: "" });
		await assert.rejects(cli.sessions.create({ cwd: cli.work, mcpServers: [] }), { code: "CLI_SIGN_IN" });
	});

	test("the CLI that cannot start says why", async (t) => {
		const cli = await startRealCli(t, reply, { COPILOT_PROVIDER_BASE_URL: "" });
		await assert.rejects(cli.client.ensureStarted(), { code: "CLI_STOPPED", message: /not start.*Offline/s });
	});
});

for (const [title, prompt, answer, output] of [
	["garbage and unknown updates lose nothing else", "garbage", "Still here."],
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

test("a call that changed something although nobody was asked stops the turn", async (t) => {
	const { thrown } = await (await startScriptedAgent(t)).ask("unasked");
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
		openSession: () => client.ensureStarted().then(() => assert.fail("It never starts.")),
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
