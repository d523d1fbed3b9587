import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { storedEvent } from "../../src/core/session/storedEvent.ts";
import { systemClock } from "../../src/orchestrator/run/clock.ts";
import { type EarlierRun, earlierRun, resumption } from "../../src/orchestrator/run/earlierRun.ts";
import { runChain } from "../../src/orchestrator/run/runChain.ts";
import { never } from "../sessions/temporarySessions.ts";
import { type Act, agentNamed, chainOf, runOf, says, scriptedRunner, throws } from "./scripted.ts";

const chain = chainOf(["reader", ["writer", "helper"], "closer"]);
const agents = new Map(["reader", "writer", "helper", "closer"].map((name) => [name, agentNamed(name)]));
const touches: AgentEvent = { kind: "toolStarted", call: { id: "1", name: "bash", input: {} } };

/** Runs the chain, and reads what a journal has of it. */
async function play(acts: Readonly<Record<string, Act>>, more: Partial<Parameters<typeof runOf>[1]> = {}) {
	const runner = scriptedRunner(acts, ["writer"]);
	const events: AgentEvent[] = [];
	const show = (event: AgentEvent) => events.push(storedEvent.parse(JSON.parse(JSON.stringify(event))));
	const ports = { runner, clock: systemClock, random: () => 0, show };
	const report = await runChain({ ...runOf(chain), agents, ...more }, ports, never);
	return { report, events, ran: runner.seen.map(({ id }) => id) };
}

const read = (events: readonly AgentEvent[]) => earlierRun([{ at: 1, events }]) as EarlierRun;
const writes = (step: string) => step === "writer";

test("what succeeded is kept with its citations, and only the rest runs again", async () => {
	const cited: AgentEvent = { kind: "citation", citation: { path: "a.md", lines: { start: 1, end: 2 } } };
	const first = await play({ reader: says("Leaks ", cited), closer: throws(new Error("Gone")) });
	const { kept, repeated } = resumption(read(first.events), writes);
	assert.deepEqual([kept.map(({ step }) => step), repeated], [["reader", "writer", "helper"], []]);
	const again = await play({}, { kept });
	assert.deepEqual(again.ran, ["closer"]);
	assert.match(again.report.context.finalOutput, /\[a\.md:1-2\]Leaks/);
	assert.equal(read(again.events).results.length, 4, "a run that went on can go on, too");
});

test("from a step on, what stands after it runs again, and what is beside it does not", async () => {
	const { events } = await play({});
	const { kept, repeated } = resumption(read(events), writes, "helper");
	assert.deepEqual([kept.map(({ step }) => step), repeated], [["reader", "writer"], []]);
});

test("a step that may have changed something is repeated only where a person says so", async () => {
	const failed = await play({ writer: says("x", touches), closer: throws(new Error("Gone")) });
	assert.deepEqual(resumption(read(failed.events), writes).repeated, []);
	assert.deepEqual(resumption(read(failed.events), writes, "reader").repeated, ["writer"]);
});

test("of a window that was closed, a writer at work counts as one that changed something", async () => {
	const { events } = await play({});
	const cut = events.slice(
		0,
		events.findLastIndex((event) => event.kind === "stepFinished" && event.step === "writer"),
	);
	const only = cut.filter((event) => event.step !== "helper");
	const earlier = read(only);
	assert.deepEqual(earlier.cutShort, ["writer"]);
	const { kept, repeated } = resumption(earlier, writes);
	assert.deepEqual([kept.map(({ step }) => step), repeated], [["reader"], ["writer"]]);
});

test("a session without a chain, and a chain that says not what it was asked, give nothing", () => {
	assert.equal(earlierRun([{ at: 1, events: [] }]), undefined);
	assert.equal(earlierRun([{ at: 1, events: [{ kind: "chain", chain }] }]), undefined);
});
