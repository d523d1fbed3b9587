import assert from "node:assert/strict";
import { test } from "node:test";
import { measuredCalls, runTurn, traced } from "../../../src/agent/loop/runTurn.ts";
import { createTurnRecorder, type TurnStart } from "../../../src/agent/loop/turnRecorder.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { TurnTrace } from "../../../src/core/session/trace.ts";

const request = { question: "Why?", history: [], attachments: [] };
const call = { id: "1", name: "bash", input: {} };
const other = { id: "2", name: "read", input: {} };

async function traceOf(events: readonly AgentEvent[], failure?: Error): Promise<TurnTrace | undefined> {
	let trace: TurnTrace | undefined;
	const observer = {
		begin: (start: TurnStart) => createTurnRecorder(start, { elapsed: () => 0, now: () => 0 }),
		ended: (_: unknown, ended: TurnTrace) => {
			trace = ended;
		},
	};
	const engine = runTurn(() => () => play(events, failure), [traced("cli", observer), measuredCalls]);
	const told = Array.fromAsync(engine(request, new AbortController().signal));
	await (failure ? assert.rejects(told, failure) : told);
	return trace;
}

async function* play(events: readonly AgentEvent[], failure?: Error): AsyncGenerator<AgentEvent> {
	yield* events;
	if (failure) throw failure;
}

test("the calls of an engine that runs elsewhere are measured by what it tells of them", async () => {
	const trace = await traceOf([
		{ kind: "toolStarted", call },
		{ kind: "toolStarted", call: other },
		{ kind: "toolFinished", call: other, ok: false, text: "" },
		{ kind: "toolFinished", call, ok: true, text: "" },
		{ kind: "ended", reason: "done" },
	]);
	assert.equal(trace?.outcome, "done");
	assert.deepEqual(
		trace?.spans.map(({ kind, title, outcome }) => [kind, title, outcome]),
		[
			["tool", "read", "failed"],
			["tool", "bash", "done"],
		],
	);
});

test("a call that is open when the engine fails has failed with it", async () => {
	const trace = await traceOf([{ kind: "toolStarted", call }], new Error("It died."));
	assert.deepEqual([trace?.outcome, trace?.spans[0]?.outcome], ["failed", "failed"]);
});
