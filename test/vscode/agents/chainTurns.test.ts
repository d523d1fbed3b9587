import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createSessionJournal } from "../../../src/agent/journal/sessionJournal.ts";
import { runTurn, traced } from "../../../src/agent/loop/runTurn.ts";
import { createTurnTracer } from "../../../src/agent/loop/turnTracer.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { TurnTrace } from "../../../src/core/session/trace.ts";
import type { Caller } from "../../../src/orchestrator/orchestrator.ts";
import { partOf, withTurns } from "../../../src/vscode/agents/link.ts";
import { createLiveTurns } from "../../../src/vscode/turn/turnRecord.ts";
import { type Act, says, scriptedRunner } from "../../orchestrator/scripted.ts";
import { scriptedOrchestrator } from "../../orchestrator/scriptedOrchestrator.ts";
import { never, openTemporary } from "../../sessions/temporarySessions.ts";
import { assertMapped } from "../../support/assertMapped.ts";

const log = { error: () => undefined } as unknown as Parameters<typeof withTurns>[1]["log"];

async function scene(t: TestContext) {
	const live = createLiveTurns();
	const callers: Caller[] = [];
	const told: AgentEvent[] = [];
	const acts = { "code-reviewer": says("It leaks.") };
	const runner = scriptedRunner(acts);
	const { orchestrator: plain } = scriptedOrchestrator(acts, {
		runner: async (caller) => {
			callers.push(caller);
			return runner;
		},
	});
	const { sessions } = await openTemporary(t);
	const journal = createSessionJournal({ sessions, engine: "model", workspace: () => "" });
	const origins = { sessionOf: (origin: unknown) => (origin === "chat request" ? "chat" : undefined) };
	const orchestrator = withTurns(plain, { origins, live, journal, log, traces: tracerTo([]) });
	const listen = (session: string) => live.add(session, (event) => told.push(event));
	return { live, listen, told, callers, sessions, orchestrator };
}

const show = () => undefined;

function tracerTo(ended: TurnTrace[]) {
	const clock = { elapsed: () => 0, now: () => 0 };
	return createTurnTracer({ clock, keepsTexts: () => false, onEnd: (trace) => ended.push(trace) });
}

async function draftFor({ orchestrator }: Pick<Awaited<ReturnType<typeof scene>>, "orchestrator">) {
	return orchestrator.plan({ prompt: "Check the code of src/lamp.ts for security" }, never);
}

test("a chain that a tool begins belongs to the chat that called it, which tells of its steps", async (t) => {
	const here = await scene(t);
	const { told, listen } = here;
	listen("chat");
	const draft = await draftFor(here);
	await here.orchestrator.run(draft, { show, origin: "chat request" }, never);
	assertMapped(here.callers, ({ session }) => session, ["chat"]);
	assert.ok(told.some(({ kind }) => kind === "chain") && told.some(({ kind }) => kind === "stepFinished"));
	assert.equal((await here.sessions.list({ limit: 9 }, never)).total, 0);
});

test("one that a step of a chain, or the Copilot CLI, begins belongs to the session that called", async (t) => {
	const here = await scene(t);
	const { told } = here;
	const leave = here.listen("step");
	const own = partOf(async () => here.orchestrator, "step");
	const draft = await draftFor(here);
	await own.run(draft, { show }, never);
	assert.equal(here.callers[0]?.session, "step");
	const heard = told.length;
	assert.ok(heard > 0);
	leave();
	await own.run(draft, { show }, never);
	assert.equal(told.length, heard, "a turn that is over hears nothing");
});

test("of two chains that one turn begins at once, each has steps of its own", async (t) => {
	const here = await scene(t);
	const { told, listen } = here;
	listen("chat");
	const draft = await draftFor(here);
	const runs = [0, 1].map(() => here.orchestrator.run(draft, { show, origin: "chat request" }, never));
	const reports = await Promise.all(runs);
	const ran = reports.flatMap(({ results }) => results.map(({ step }) => step));
	assert.deepEqual(ran, ["code-reviewer", "code-reviewer-2"]);
	const finished = told.flatMap((event) => (event.kind === "stepFinished" ? [event.step] : []));
	assert.deepEqual(finished.sort(), ran);
});

test("a chain is a trace, and each of its steps a part of it", async () => {
	const ended: TurnTrace[] = [];
	const traces = tracerTo(ended);
	const act: Act = (step, signal) => {
		const { name, persona } = step.agent;
		const request = { question: "", history: [], attachments: [], agent: { name, persona } };
		const answer = runTurn(() => (_, until) => says("It leaks.")(step, until), [traced("cli", traces)]);
		return answer(request, signal);
	};
	const { orchestrator: plain } = scriptedOrchestrator({ "code-reviewer": act });
	const origins = { sessionOf: () => undefined };
	const journal = createSessionJournal({ sessions: {} as never, engine: "model", workspace: () => "" });
	const orchestrator = withTurns(plain, { origins, live: createLiveTurns(), journal, log, traces });
	await orchestrator.run(await draftFor({ orchestrator }), { show, session: "chat" }, never);
	const [step, chain] = ended;
	assert.deepEqual([step?.agent, chain?.title, chain?.session], ["code-reviewer", "agents", "chat"]);
	assert.deepEqual([step?.traceId, step?.parentId], [chain?.traceId, chain?.spanId]);
});

test("where nobody's chat is known, the chain is a session of its own, with what it answered", async (t) => {
	const here = await scene(t);
	const draft = await draftFor(here);
	await here.orchestrator.run(draft, { show, origin: "of another participant" }, never);
	const [{ id } = { id: "" }] = (await here.sessions.list({ limit: 9 }, never)).sessions;
	assert.equal(here.callers[0]?.session, id);
	const { turns } = await here.sessions.read(id, never);
	assert.equal(turns[0]?.question, "Check the code of src/lamp.ts for security");
	assert.match(turns[0]?.answer ?? "", /It leaks\./);
	assert.ok(turns[0]?.events.some(({ kind }) => kind === "stepFinished"));
});
