import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { createPermissionDesk } from "../../../src/acp/turn/permissionDesk.ts";
import { createFakePermissions } from "../fakePermissions.ts";

const REQUEST: RequestPermissionRequest = {
	sessionId: "s",
	toolCall: { toolCallId: "c", kind: "execute", rawInput: { command: "rm x" } },
	options: [
		{ optionId: "yes", kind: "allow_once", name: "Yes" },
		{ optionId: "no", kind: "reject_once", name: "No" },
	],
};

/** A desk whose turn ends when the rules have been read for the so-manieth time. */
function deskOfTurnThatEnds(afterReads: number) {
	const rules = createFakePermissions();
	const turn = new AbortController();
	const asked: string[] = [];
	let reads = 0;
	const desk = createPermissionDesk({
		permissions: {
			...rules,
			verdictFor: async (request) => {
				const verdict = await rules.verdictFor(request);
				if (++reads === afterReads) turn.abort();
				return verdict;
			},
		},
		askPerson: async ({ callId }) => {
			asked.push(callId);
			return "once";
		},
		origin: { session: "s", workspace: "", cwd: "/w" },
		signal: turn.signal,
		show: () => undefined,
	});
	return { desk, asked, log: rules.log };
}

for (const reads of [1, 2])
	test(`nobody is asked about a turn that ended at the look ${reads} into the rules`, async () => {
		const { desk, asked, log } = deskOfTurnThatEnds(reads);
		const answer = await desk.decide(REQUEST, undefined);
		assert.deepEqual(answer.outcome, { outcome: "cancelled" });
		assert.deepEqual([asked, log], [[], []]);
		assert.equal(desk.wasAllowed("c"), false);
	});

test("what the person allows was allowed, and nothing else", async () => {
	const { desk } = deskOfTurnThatEnds(Number.POSITIVE_INFINITY);
	const answer = await desk.decide(REQUEST, undefined);
	assert.deepEqual(answer.outcome, { outcome: "selected", optionId: "yes" });
	assert.equal(desk.wasAllowed("c"), true);
	assert.equal(desk.wasAllowed("d"), false);
});
