import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallGuardDeps, createCallGuard } from "../../../../src/acp/turn/guard/callGuard.ts";
import { createToolCalls } from "../../../../src/acp/updates/toolCalls.ts";
import { OUR_TOOLS_ON_CLI } from "../../../../src/core/agent/tool.ts";

function guardOver(
	reads: Partial<CallGuardDeps["reads"]>,
	isFree: () => Promise<boolean> = async () => false,
) {
	const asked: unknown[] = [];
	const guard = createCallGuard({
		calls: createToolCalls(),
		desk: {
			decide: async ({ input }) => {
				asked.push(input);
				return { kind: "denied" };
			},
			wasAllowed: () => false,
		},
		reads: { named: async () => [], found: async () => [], record: async () => undefined, ...reads },
		folder: "/session",
		hasCommand: (tool) => tool === "copilot-ld-plugin_lights_find",
		allowsAll: isFree,
		stop: async () => undefined,
		show: () => undefined,
	});
	return { guard, asked };
}

const SECRET = { path: "/kb/key.pem", effect: "deny" } as Awaited<
	ReturnType<CallGuardDeps["reads"]["found"]>
>[number];

test("a result stays away from the model where the decision over it cannot be written down", async () => {
	const { guard } = guardOver({
		found: async () => [SECRET],
		record: () => Promise.reject(new Error("No space left on the disk")),
	});
	const { instead } = await guard.after({ tool: "grep", input: {}, isSubagent: false }, "SECRET-1");
	assert.match(instead ?? "", /could not be checked: No space left/);
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
