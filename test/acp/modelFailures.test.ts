import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { isAlive } from "../../src/acp/link/processTree.ts";
import { createCliRunner } from "../../src/acp/turn/cliRunner.ts";
import { isFailure } from "../../src/base/failure.ts";
import { inTrace, newTraceContext } from "../../src/base/traces/traceContext.ts";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { createFakePermissions } from "../support/fakePermissions.ts";
import { portOf } from "../support/listening.ts";
import { wholeFile } from "../support/wholeFile.ts";
import {
	answerOf,
	askOn,
	eventsOf,
	type RunnerOptions,
	requestFor,
	runToEnd,
	type Shown,
	startRealCli,
	startScriptedAgent,
} from "./realCli.ts";
import type { ScriptedReply, SeenRequest } from "./scriptedModelServer.ts";

/** The CLI waits for a minute and more before it gives up on some of them. */
const SLOW = { skip: process.env["COPILOT_LD_SLOW"] ? false : "It takes long; COPILOT_LD_SLOW=1 runs it." };

const tries = new Map<string, number>();

/** What the model does at its first try, and at those that follow. */
const replies: Readonly<Record<string, readonly [ScriptedReply, ScriptedReply?]>> = {
	once: [{ status: 500 }],
	cut: [{ text: ["The lamp ", "is "], cut: true }, { text: ["The lamp ", "is lit."] }],
	turncoat: [{ text: ["The lamp is out"], cut: true }],
	say: [{ text: ["Error: this is what the log says."] }],
	silent: [{ wait: true }],
};

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
	async function ask(question: string, options: RunnerOptions = {}): Promise<Shown> {
		const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
		return askOn(cli, session, question, options);
	}

	function assertFailed({ thrown }: Shown, words: RegExp) {
		assert.ok(isFailure(thrown) && thrown.code === "MODEL_FAILED", String(thrown));
		assert.match(thrown.message, words);
	}

	for (const [status, words, tries] of [
		[401, /Sign in again/, 0],
		[400, /400/, 0],
		[404, /not found/i, 0],
		[500, /500/, 5],
		[429, /Wait a minute/, 1],
	] as const)
		test(
			`one that answers ${status} is tried again ${tries} times, and ends the turn with words that say what to do`,
			tries > 0 ? SLOW : {},
			async () => {
				const shown = await ask(`@@status ${status}`);
				assertFailed(shown, words);
				assert.equal(answerOf(shown), "");
				assert.ok(eventsOf(shown, "progress").length >= tries);
			},
		);

	test("one that fails once is tried again, which is shown as progress and is no part of the answer", async () => {
		const shown = await ask("@@once");
		assert.equal(shown.thrown, undefined);
		assert.equal(answerOf(shown), "All well.");
		assert.match(eventsOf(shown, "progress")[0]?.text ?? "", /Trying again$/);
	});

	test("an answer that was cut is shown once, although it is sent twice", async () => {
		const shown = await ask("@@cut");
		assert.equal(shown.thrown, undefined);
		assert.equal(answerOf(shown), "The lamp is lit.");
	});

	test("an answer that goes otherwise after it was cut is said to begin again", async () => {
		const shown = await ask("@@turncoat");
		assert.equal(answerOf(shown), "The lamp is outAll well.");
		assert.match(eventsOf(shown, "notice")[0]?.text ?? "", /starts over/);
	});

	test("words of the model that look like an error are its answer", async () => {
		const shown = await ask("@@say");
		assert.equal(shown.thrown, undefined);
		assert.equal(answerOf(shown), "Error: this is what the log says.");
	});

	test("one that stays silent is reported while the person waits", async () => {
		const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
		const controller = new AbortController();
		const watch = (event: AgentEvent) => {
			if (event.kind === "progress" && event.text.startsWith("No answer for 1 s")) controller.abort();
		};
		const options = { silenceMs: 1000, signal: controller.signal, watch };
		const shown = await askOn(cli, session, "@@silent", options);
		assert.ok(controller.signal.aborted, JSON.stringify(eventsOf(shown, "progress")));
	});

	test("one that cannot be reached is reported as such", SLOW, async (t) => {
		const closed = createServer();
		const port = await portOf(t, closed);
		closed.close();
		const other = await startRealCli(t, reply, { COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1` });
		const session = await other.sessions.create({ cwd: other.work, mcpServers: [] });
		assertFailed(await askOn(other, session, "Hello"), /connect/i);
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
