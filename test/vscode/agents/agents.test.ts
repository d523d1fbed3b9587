import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createSessionJournal } from "../../../src/agent/journal/sessionJournal.ts";
import { runTurn, traced } from "../../../src/agent/loop/runTurn.ts";
import { createTurnTracer } from "../../../src/agent/loop/turnTracer.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { AgentRegistry } from "../../../src/core/agent/chain.ts";
import type { TurnTrace } from "../../../src/core/session/trace.ts";
import type { Caller } from "../../../src/orchestrator/orchestrator.ts";
import { synthesize } from "../../../src/orchestrator/run/stepResult.ts";
import { answerAgents, readResume, wordsOfSteps } from "../../../src/vscode/agents/agentsCommand.ts";
import { partOf, withTurns } from "../../../src/vscode/agents/link.ts";
import { dryRunMarkdown, judgementMarkdown, planMarkdown } from "../../../src/vscode/agents/plans.ts";
import { createLiveFiles } from "../../../src/vscode/liveFiles.ts";
import { createLiveTurns } from "../../../src/vscode/turn/turnRecord.ts";
import { type Act, agentNamed, says, scriptedRunner } from "../../orchestrator/scripted.ts";
import { scriptedOrchestrator } from "../../orchestrator/scriptedOrchestrator.ts";
import { never, openTemporary } from "../../sessions/temporarySessions.ts";
import { assertMapped } from "../../support/assertMapped.ts";

const { signal } = new AbortController();

test("plans show agents, reasons and estimates; judgments show the unclear word; text of agent files is escaped", async () => {
	const agents = [agentNamed("reviewer", { keywords: ["security"], tools: ["view | [x](http://a)"] })];
	const { orchestrator } = scriptedOrchestrator({}, { agents: async () => agents });
	const draft = await orchestrator.plan({ prompt: "Review a.ts for security" }, signal);
	const text = planMarkdown(draft);
	assert.match(text, /\*\*1\. reviewer\*\* may change files and run .*\n- Why: .* 0\.41 of 1; .*“security”/);
	assert.match(text, /an estimate/);
	assert.doesNotMatch(text, /\[x\]\(http|view \| /);
	const { orchestrator: plain } = scriptedOrchestrator();
	const judged = judgementMarkdown(await plain.judge("Review the auth module", undefined, signal));
	assert.match(judged, /^\*\*Clear\.\*\*\n\nSelected by .*: code-reviewer \(0\.27\)\n.*: .*“Review”/s);
	const unclear = judgementMarkdown(await plain.judge("Compose it", undefined, signal));
	assert.match(unclear, /^\*\*Not clear\.\*\* “Compose” what\? .*\n\nNo agent fits/s);
	assert.match(dryRunMarkdown(draft), /Nothing was run\.[\s\S]*```\nYou are reviewer\.\n```/);
});

test("the words `resume` and `retry` of `/agents` are recognized only in their exact forms", () => {
	const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
	assert.deepEqual(readResume("resume", "here"), { session: "here" });
	assert.deepEqual(readResume(`resume ${id}`, "here"), { session: id });
	assert.deepEqual(readResume("retry fixer-2", "here"), { session: "here", from: "fixer-2" });
	assert.deepEqual(readResume(`retry fixer ${id}`, "here"), { session: id, from: "fixer" });
	for (const task of ["resume the work", "retry the tests", "retry ../x", "resume ../../etc"])
		assert.equal(readResume(task, "here"), undefined);
});

test("`/agents` without a task lists the agents", async () => {
	const { orchestrator } = scriptedOrchestrator({ "code-reviewer": says("It leaks.") });
	const shown: string[] = [];
	const stream = { markdown: (text: string) => shown.push(text) };
	const deps = { orchestrator: async () => orchestrator } as Parameters<typeof answerAgents>[0];
	await answerAgents(deps, { prompt: "", stream } as never, never);
	assert.match(shown.join(), /^- \*\*code-reviewer\*\*: /m);
});

test("of a chain's answer, only the text written by steps is checked against the cited lines", () => {
	const step = { step: "a", agent: "Keeper", outcome: "succeeded", citations: [], focusAreas: [] } as const;
	const said = "It was lit in 1884.";
	const summary = synthesize([{ ...step, output: said, executedAt: 1, hasChanged: false }]);
	const finished = { ...step, kind: "stepFinished", text: said } as const;
	assert.match(summary, /Total Agents Executed: 1/);
	assert.equal(wordsOfSteps([{ kind: "text", text: summary }, finished]), said);
	assert.equal(wordsOfSteps([{ kind: "text", text: "A plan of 3 steps." }]), "");
});

const emptyRegistry = (): AgentRegistry => ({ agents: [], problems: [] });

function openLiveAgents() {
	const watches: PromiseWithResolvers<void>[] = [];
	const reads: PromiseWithResolvers<AgentRegistry>[] = [];
	const begin = <Value>(all: PromiseWithResolvers<Value>[]) => {
		all.push(Promise.withResolvers<Value>());
		return all.at(-1)?.promise as Promise<Value>;
	};
	const files = { registry: () => begin(reads), watch: () => begin(watches) };
	return { live: createLiveFiles(files), watches, reads };
}

const settled = () => new Promise(setImmediate);

test("a restarted worker reports a change, and the next read watches the files again", async () => {
	const { live, watches, reads } = openLiveAgents();
	let changes = 0;
	live.onDidChange(() => changes++);
	const first = live.registry(signal);
	reads[0]?.resolve(emptyRegistry());
	await first;
	watches[0]?.reject(new Error("The pipe is closed."));
	await settled();
	assert.equal(changes, 1);
	void live.registry(signal);
	assert.equal(watches.length, 2);
	watches[1]?.reject(new Error("The worker does not start."));
	await settled();
	assert.equal(changes, 1, "a watch that failed at once is not repeated");
});

test("an earlier read of the agent files does not replace the result of a later read", async () => {
	const { live, reads } = openLiveAgents();
	const seen: AgentRegistry[] = [];
	live.onDidRead((registry) => seen.push(registry));
	const first = live.registry(signal);
	live.refresh();
	const second = live.registry(signal);
	const later = emptyRegistry();
	reads[1]?.resolve(later);
	await second;
	reads[0]?.resolve(emptyRegistry());
	await first;
	assert.deepEqual([seen.length, seen[0] === later], [1, true]);
});

const log = { error: () => undefined } as unknown as Parameters<typeof withTurns>[1]["log"];

async function scene(t: TestContext) {
	const live = createLiveTurns();
	const callers: Caller[] = [];
	const told: AgentEvent[] = [];
	const ended: TurnTrace[] = [];
	const traces = createTurnTracer({ keepsTexts: () => false, onEnd: (trace) => ended.push(trace) });
	const act: Act = (step, signal) => {
		const request = { question: "", history: [], attachments: [], agent: step.agent };
		return runTurn(() => () => says("It leaks.")(step, signal), [traced("cli", traces)])(request, signal);
	};
	const acts = { "code-reviewer": act };
	const runner = async (caller: Caller) => {
		callers.push(caller);
		return scriptedRunner(acts);
	};
	const { sessions } = await openTemporary(t);
	const journal = createSessionJournal({ sessions, engine: "model", workspace: () => "" });
	const origins = { sessionOf: (origin: unknown) => (origin === "chat request" ? "chat" : undefined) };
	const { orchestrator: plain } = scriptedOrchestrator(acts, { runner });
	const orchestrator = withTurns(plain, { origins, live, journal, log, traces });
	const listen = (session: string) => live.add(session, (event) => told.push(event));
	const draft = await orchestrator.plan(TASK, never);
	const run = (origin: string) => orchestrator.run(draft, { show, origin }, never);
	return { listen, told, ended, callers, sessions, orchestrator, draft, run };
}

const TASK = { prompt: "Check the code of src/lamp.ts for security" };
const show = () => undefined;

test("a chat shows the chains that its tool calls start, each step under a unique name", async (t) => {
	const { told, listen, run, callers, sessions } = await scene(t);
	listen("chat");
	const reports = await Promise.all([0, 1].map(() => run("chat request")));
	assertMapped(callers, ({ session }) => session, ["chat", "chat"]);
	const ran = reports.flatMap(({ results }) => results.map(({ step }) => step));
	assert.deepEqual(ran, ["code-reviewer", "code-reviewer-2"]);
	const finished = told.flatMap((event) => (event.kind === "stepFinished" ? [event.step] : []));
	assert.deepEqual(finished.sort(), ran);
	assert.ok(told.some(({ kind }) => kind === "chain"));
	assert.equal((await sessions.list({ limit: 9 }, never)).total, 0);
});

test("a chain started by a chain step or the Copilot CLI runs in the calling session", async (t) => {
	const { told, listen, orchestrator, draft, callers } = await scene(t);
	const leave = listen("step");
	const own = partOf(async () => orchestrator, "step");
	await own.run(draft, { show }, never);
	assert.equal(callers[0]?.session, "step");
	const heard = told.length;
	assert.ok(heard > 0);
	leave();
	await own.run(draft, { show }, never);
	assert.equal(told.length, heard, "an ended turn gets no events");
});

test("the steps of a chain are in the chain's trace", async (t) => {
	const { ended, listen, run } = await scene(t);
	listen("chat");
	await run("chat request");
	const [step, chain] = ended;
	assert.deepEqual([step?.agent, chain?.title, chain?.session], ["code-reviewer", "agents", "chat"]);
	assert.deepEqual([step?.traceId, step?.parentId], [chain?.traceId, chain?.spanId]);
});

test("a chain without a known chat is saved with the chain's answer as a separate session", async (t) => {
	const { run, sessions, callers } = await scene(t);
	await run("of another participant");
	const [{ id } = { id: "" }] = (await sessions.list({ limit: 9 }, never)).sessions;
	assert.equal(callers[0]?.session, id);
	const [turn] = (await sessions.read(id, never)).turns;
	assert.equal(turn?.question, TASK.prompt);
	assert.match(turn.answer, /It leaks\./);
	assert.ok(turn.events.some(({ kind }) => kind === "stepFinished"));
});
