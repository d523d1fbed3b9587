import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { type CallGuardDeps, createCallGuard } from "../../../../src/acp/turn/guard/callGuard.ts";
import {
	answerQuestions,
	createPermissionDesk,
	denialText,
} from "../../../../src/acp/turn/guard/permissionDesk.ts";
import { type CallState, createToolCalls } from "../../../../src/acp/updates/toolCalls.ts";
import { OUR_TOOLS_ON_CLI } from "../../../../src/core/agent/ourTools.ts";
import { createFakePermissions } from "../../../support/fakePermissions.ts";

const REQUEST: RequestPermissionRequest = {
	sessionId: "s",
	toolCall: { toolCallId: "c", kind: "execute", rawInput: { command: "rm x" } },
	options: [
		{ optionId: "yes", kind: "allow_once", name: "Yes" },
		{ optionId: "no", kind: "reject_once", name: "No" },
	],
};

const INPUT = { command: "rm x" };

/** A call as it is announced. */
const ran = (id: string, input: object = INPUT, kind = "execute"): CallState => {
	return { call: { id, name: "shell", input }, title: "", kind, text: "", diffs: [], status: "ok" };
};

/** A desk whose turn ends at a look into the rules, if at all. */
function openDesk(endsAt = Number.POSITIVE_INFINITY) {
	const permissions = createFakePermissions();
	const turn = new AbortController();
	const asked: string[] = [];
	let looks = 0;
	const verdictFor: typeof permissions.verdictFor = async (request) => {
		if (++looks === endsAt) turn.abort();
		return permissions.verdictFor(request);
	};
	const desk = createPermissionDesk({
		permissions: { ...permissions, verdictFor },
		askPerson: async ({ callId }) => {
			asked.push(callId);
			return { kind: "once" };
		},
		origin: { session: "s", workspace: "", cwd: "/w", hasCommand: () => false },
		signal: turn.signal,
		show: () => undefined,
	});
	const { permission } = answerQuestions(desk, createToolCalls());
	const answer = async (request: RequestPermissionRequest) => (await permission(request)).outcome;
	const wasAllowed = (id: string) => desk.wasAllowed(ran(id));
	return { desk, answer, wasAllowed, asked, log: permissions.log };
}

for (const [reads, expected] of [
	[1, []],
	[2, ["c"]],
] as const)
	test(`nothing is allowed in a turn that ended at the look ${reads} into the rules`, async () => {
		const { answer, wasAllowed, asked, log } = openDesk(reads);
		assert.deepEqual(await answer(REQUEST), { outcome: "cancelled" });
		assert.deepEqual([asked, log], [expected, []]);
		assert.equal(wasAllowed("c"), false);
	});

test("what the person allows was allowed, and nothing else; nothing is where the agent offers no such answer", async () => {
	const { answer, wasAllowed } = openDesk();
	assert.deepEqual(await answer({ ...REQUEST, options: [] }), { outcome: "cancelled" });
	assert.equal(wasAllowed("c"), false);
	assert.deepEqual(await answer(REQUEST), { outcome: "selected", optionId: "yes" });
	assert.deepEqual(["c", "d"].map(wasAllowed), [true, false]);
});

test("a hook that overtakes the announcement of its call allows that call, and no second one", async () => {
	const { desk } = openDesk();
	const call = { id: "", title: "bash", tool: "bash", locations: [], isNamed: true };
	await desk.decide({ ...call, kind: "execute", input: INPUT });
	const all = [ran("c", INPUT, "edit"), ran("c", { command: "rm y" }), ran("c"), ran("d"), ran("c")];
	assert.deepEqual(all.map(desk.wasAllowed), [false, false, true, false, true]);
});

test("what a person says comes to the model, and a rule's denial is not said to be theirs", () => {
	const text = denialText([
		{ title: "touch a", by: "person", reason: "not there" },
		{ title: "rm b", by: "rule" },
	]);
	assert.match(text, /^I did not allow this call: touch a\. My reason: not there\nA rule .*: rm b\.\nDo/);
});

test("the agent's words come after the command, and hide nothing of it", async () => {
	const { answer, log } = openDesk();
	const title = `Lists\u202e files${" ".repeat(50)}${"x".repeat(9000)}`;
	const rawInput = { command: "rm\u200b x\n# harmless" };
	await answer({ ...REQUEST, toolCall: { ...REQUEST.toolCall, title, rawInput } });
	const { title: shown = "" } = log[0]?.request ?? {};
	const wanted = /^rm⟨U\+200B⟩ x⟨newline⟩# harmless \(Lists⟨U\+202E⟩ files⟨50 spaces⟩x+ ⟨\d+ more .*\)$/;
	assert.match(shown, wanted);
	assert.ok(shown.length < 300);
});

type Reads = CallGuardDeps["reads"];

function guardOver(reads: Partial<Reads>, allowsAll: () => Promise<boolean> = async () => false) {
	const asked: unknown[] = [];
	const decide: CallGuardDeps["desk"]["decide"] = async ({ input }) => {
		asked.push(input);
		return { kind: "denied" };
	};
	const guard = createCallGuard({
		calls: createToolCalls(),
		desk: { decide, wasAllowed: () => false },
		reads: { named: async () => [], found: async () => [], record: async () => undefined, ...reads },
		folder: "/session",
		hasCommand: (tool) => tool === "copilot-ld-plugin_lights_find",
		allowsAll,
		halt: async () => undefined,
		show: () => undefined,
	});
	return { guard, asked };
}

const SECRET = { path: "/kb/key.pem", effect: "deny" } as Awaited<ReturnType<Reads["found"]>>[number];

test("a result stays away from the model where the decision over it cannot be written down", async () => {
	const record = () => Promise.reject(new Error("No space"));
	const { guard } = guardOver({ found: async () => [SECRET], record });
	const { instead } = await guard.after({ tool: "grep", input: {}, isSubagent: false }, "SECRET-1");
	assert.match(instead ?? "", /could not be checked: No space/);
});

test("a tool of another server whose name begins like ours is decided over", async () => {
	const { guard, asked } = guardOver({});
	const call = { tool: "copilot-ld-liar-look_at", input: { x: 1 }, isSubagent: false };
	assert.notEqual(await guard.before(call), "pass");
	assert.deepEqual(asked, [{ x: 1 }]);
	for (const tool of [...OUR_TOOLS_ON_CLI, "copilot-ld-plugin_lights_find"])
		assert.equal(await guard.before({ ...call, tool }), "pass");
});

test("where it cannot be said whether everything is allowed, nothing is passed", async () => {
	const { guard } = guardOver({}, () => Promise.reject(new Error("The rules cannot be read.")));
	const call = { tool: "bash", input: { command: "rm -rf /" }, isSubagent: false };
	await assert.rejects(guard.before(call), /The rules cannot be read/);
});
