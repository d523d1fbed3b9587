import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type {
	SessionChange,
	SessionSummary,
	StepRun,
	TranscriptTurn,
} from "../../src/core/session/session.ts";
import type { ViewUpdate } from "../../src/protocol/webview.ts";
import {
	EMPTY_FORM,
	NO_FILTERS,
	openingState,
	type RuleForm,
	type ViewState,
} from "../../webview/model/state.ts";
import { draftOf, problemsOf } from "../../webview/permissions/reducePermissions.ts";
import { reduce } from "../../webview/reduce.ts";
import { isWanted } from "../../webview/sessions/hearSessions.ts";
import { isWhole, resumableTurn, stepTree } from "../../webview/sessions/stepTree.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { createRandom, type Random } from "../support/random.ts";
import { manySessions, oneTurn } from "./fakeSessions.ts";

const NOW = 1_700_000_000_000;
const PAGE = 100;

function pageOf(all: readonly SessionSummary[], offset: number, filters = NO_FILTERS): ViewUpdate {
	const sessions = all.slice(offset, offset + PAGE);
	return { kind: "sessions", filters, offset, sessions, total: all.length };
}

function change(all: Map<string, SessionSummary>, random: Random, run: number): SessionChange {
	const known = [...all.values()];
	const before = random.pick(known);
	const kind = random.below(10);
	if (kind === 0) {
		const id = `new${run}`;
		const after = { ...before, id, archived: false, updatedAt: NOW + run };
		all.set(id, after);
		return { id, after };
	}
	const { id } = before;
	if (kind === 1 && known.length > 1) {
		all.delete(id);
		return { id, before };
	}
	const after =
		kind === 2
			? { ...before, archived: !before.archived }
			: { ...before, title: `${run}`, updatedAt: NOW + run };
	all.set(id, after);
	return { id, before, after };
}

function tell(state: ViewState, update: ViewUpdate) {
	const step = reduce(state, { kind: "told", update });
	const asked = step.requests.flatMap((request) => (request.kind === "listSessions" ? [request.offset] : []));
	return { state: step.state, asked };
}

for (const [what, filters] of [
	["without filters", NO_FILTERS],
	["with filters", { engine: "model", thisWorkspace: false, days: 30_000, archived: false }],
] as const)
	test(`after any changes the list ${what} is what a fresh one would be, and asks for nothing that it has`, () => {
		const random = createRandom(11);
		for (const count of [5, 90, 250]) {
			const all = new Map(manySessions(count).map(({ session }) => [session.id, session]));
			const wanted = () =>
				[...all.values()]
					.sort((a, b) => b.updatedAt - a.updatedAt)
					.filter((session) => isWanted(session, filters, { workspace: "", now: NOW }));
			const { state: opened } = reduce(openingState(undefined, NOW), { kind: "opened" });
			const { state: chosen } = reduce(opened, { kind: "filtersChosen", filters });
			let { state } = tell(chosen, pageOf(wanted(), 0, filters));
			for (let run = 0; run < 200; run++) {
				const changes = [0, 1].map((at) => change(all, random, run * 2 + at));
				const { state: next, asked } = tell(state, { kind: "sessionsChanged", changes });
				const fresh = wanted();
				state = asked.reduce((shown, offset) => tell(shown, pageOf(fresh, offset, filters)).state, next);
				const { rows = [] } = state.sessions;
				const loaded = fresh.map((session, index) => rows[index] && session);
				assert.deepEqual(rows, loaded);
				if (count < PAGE) assert.deepEqual(asked, []);
			}
		}
	});

const CASES: readonly { readonly fields: Partial<RuleForm>; readonly wrong: readonly string[] }[] = [
	{ fields: {}, wrong: ["tool"] },
	{ fields: { effect: "deny" }, wrong: [] },
	{ fields: { tool: "run_command" }, wrong: [] },
	{ fields: { tool: "run command" }, wrong: ["tool"] },
	{ fields: { tool: "search_*" }, wrong: [] },
	{ fields: { argumentKind: "command", argument: " " }, wrong: ["argument"] },
	{ fields: { argumentKind: "command", argument: "git status" }, wrong: [] },
	{ fields: { argumentKind: "path", argument: "C:\\notes" }, wrong: ["argument"] },
	{ fields: { argumentKind: "path", argument: "../notes/**" }, wrong: ["argument"] },
	{ fields: { argumentKind: "path", argument: "notes/**/*.md" }, wrong: [] },
	{ fields: { argumentKind: "path", argument: "C:/notes/**" }, wrong: [] },
	{ fields: { argumentKind: "host", argument: "https://example.org/a" }, wrong: ["argument"] },
	{ fields: { argumentKind: "host", argument: "*.example.org:8080" }, wrong: [] },
];

for (const { fields, wrong } of CASES)
	test(`${JSON.stringify(fields)} is ${wrong.length > 0 ? `wrong in ${wrong}` : "sound"}`, () => {
		assert.deepEqual(Object.keys(problemsOf({ ...EMPTY_FORM, ...fields })), wrong);
	});

test("fields that are left empty are not named in the rule", () => {
	const draft = draftOf({ ...EMPTY_FORM, tool: " run_command " });
	assert.deepEqual(draft, { effect: "allow", scope: "always", tool: "run_command" });
});

const run = (step: string, part: Partial<StepRun> = {}): StepRun => ({
	...{ step, agent: step, attempt: 1, startedAt: NOW - 90_000, heardAt: NOW - 1000, tokens: 10 },
	...part,
});
const stepsOf = (steps: Record<string, string>) =>
	Object.entries(steps).map(([id, agent]) => ({ id, agent }));
const stage = (steps: Record<string, string>) => ({ steps: stepsOf(steps) });
const stages = [stage({ read: "reader" }), stage({ a: "writer", b: "tester" }), stage({ last: "closer" })];
const plan: AgentEvent = { kind: "chain", chain: { onFailure: "continue", stages } };
const ended = { at: NOW - 60_000, outcome: "succeeded", text: "Read." } as const;

function treeOf(runs: readonly StepRun[], { isLive = true, events = [] as AgentEvent[], ends = false } = {}) {
	const { outcome: done, ...turn } = oneTurn(0, { events: [plan, ...events], runs });
	return stepTree({ ...turn, ...(ends && done && { outcome: done }) }, { now: NOW, isLive });
}

test("the tree has the stages of the plan, with what each step is at", () => {
	const quiet = run("b", { heardAt: NOW - 61_000 });
	const stages = treeOf([run("read", { ended }), run("a", { tool: "bash" }), quiet]);
	assert.deepEqual(
		stages.map((stage) => stage.map(({ agent, state }) => `${agent} ${state}`)),
		[["reader succeeded"], ["writer working", "tester stalled"], ["closer waiting"]],
	);
	assert.deepEqual([stages[0]?.[0]?.age, stages[1]?.[0]?.age], [30_000, 90_000]);
});

test("a step that was tried again shows its last try, and the tokens of all", () => {
	const late = { ...ended, outcome: "timedOut" } as const;
	const [[node] = []] = treeOf([run("read", { ended: late }), run("read", { attempt: 2 })]);
	assert.deepEqual([node?.state, node?.tokens, node?.run?.attempt], ["working", 20, 2]);
});

test("where the window has closed, what was at work was cut off", () => {
	for (const ways of [{ isLive: false }, { ends: true }])
		assert.equal(treeOf([run("read")], ways)[0]?.[0]?.state, "lost");
});

test("a step that was skipped never began, and one that is not in the plan is seen", () => {
	const skipped = { kind: "stepFinished", step: "a", agent: "writer", outcome: "skipped", text: "" } as const;
	const stages = treeOf([run("extra")], { events: [skipped] });
	assert.equal(stages[1]?.[0]?.state, "skipped");
	assertMapped(stages.at(-1) ?? [], ({ step }) => step, ["extra"]);
});

test("only the last chain of a session goes on, and only once it is over", () => {
	const [made] = manySessions(1);
	assert.ok(made);
	const chain = oneTurn(0, { events: [plan], runs: [run("read")] });
	const { outcome: _, ...atWork } = { ...chain, turn: 1 };
	const resumable = (turns: readonly TranscriptTurn[], updatedAt = NOW) =>
		resumableTurn({ session: { ...made.session, updatedAt }, turns }, NOW)?.turn;
	assert.equal(resumable([chain, oneTurn(1, {})]), 0);
	assert.equal(resumable([chain, atWork]), undefined);
	assert.equal(resumable([chain, atWork], NOW - 3_600_000), 1, "its window was closed");
	assert.equal(resumable([oneTurn(0, {})]), undefined);
	const trees = [treeOf([run("read", { ended })]), treeOf([run("read")], { isLive: false })];
	assert.deepEqual(trees.map(isWhole), [false, false]);
});
