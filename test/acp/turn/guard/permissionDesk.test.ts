import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { type CallGuardDeps, createCallGuard } from "../../../../src/acp/turn/guard/callGuard.ts";
import {
	answerQuestions,
	createPermissionDesk,
	denialText,
} from "../../../../src/acp/turn/guard/permissionDesk.ts";
import { type CallState, createToolCalls } from "../../../../src/acp/updates/turnReader.ts";
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
const ran = (id: string, input: object = INPUT, kind = "execute"): CallState => ({
	...{ call: { id, name: "shell", input }, title: "", kind, text: "", diffs: [], status: "ok" },
});

/** Opens a desk whose turn is aborted during the given check of the rules, or never. */
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
	test(`a turn that ends during check ${reads} of the rules allows nothing`, async () => {
		const { answer, wasAllowed, asked, log } = openDesk(reads);
		assert.deepEqual(await answer(REQUEST), { outcome: "cancelled" });
		assert.deepEqual([asked, log], [expected, []]);
		assert.equal(wasAllowed("c"), false);
	});

test("a call is allowed only if the user allows it and the agent offers that answer", async () => {
	const { answer, wasAllowed } = openDesk();
	assert.deepEqual(await answer({ ...REQUEST, options: [] }), { outcome: "cancelled" });
	assert.equal(wasAllowed("c"), false);
	assert.deepEqual(await answer(REQUEST), { outcome: "selected", optionId: "yes" });
	assert.deepEqual(["c", "d"].map(wasAllowed), [true, false]);
});

test("a decision before a call's announcement allows that call only", async () => {
	const { desk } = openDesk();
	const call = { id: "", title: "bash", tool: "bash", locations: [], isNamed: true };
	await desk.decide({ ...call, kind: "execute", input: INPUT });
	const all = [ran("c", INPUT, "edit"), ran("c", { command: "rm y" }), ran("c"), ran("d"), ran("c")];
	assert.deepEqual(all.map(desk.wasAllowed), [false, false, true, false, true]);
});

test("the model gets the user's reason for a denial, and learns of denials by rules", () => {
	const text = denialText([
		{ title: "touch a", by: "person", reason: "not there" },
		{ title: "rm b", by: "rule" },
	]);
	assert.match(text, /^I did not allow this call: touch a\. My reason: not there\nA rule .*: rm b\.\nDo/);
});

test("the agent's words follow the command and cannot hide the command", async () => {
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

test("a result is withheld from the model if the decision on it cannot be recorded", async () => {
	const record = () => Promise.reject(new Error("No space"));
	const { guard } = guardOver({ found: async () => [SECRET], record });
	const { instead } = await guard.after({ tool: "grep", input: {}, isSubagent: false }, "SECRET-1");
	assert.match(instead ?? "", /could not be checked: No space/);
});

test("a tool of another server whose name begins like our own tools needs a decision", async () => {
	const { guard, asked } = guardOver({});
	const call = { tool: "copilot-ld-liar-look_at", input: { x: 1 }, isSubagent: false };
	assert.notEqual(await guard.before(call), "pass");
	assert.deepEqual(asked, [{ x: 1 }]);
	for (const tool of [...OUR_TOOLS_ON_CLI, "copilot-ld-plugin_lights_find"])
		assert.equal(await guard.before({ ...call, tool }), "pass");
});

test("no call passes if the rules on “allow all” cannot be read", async () => {
	const { guard } = guardOver({}, () => Promise.reject(new Error("The rules cannot be read.")));
	const call = { tool: "bash", input: { command: "rm -rf /" }, isSubagent: false };
	await assert.rejects(guard.before(call), /The rules cannot be read/);
});
