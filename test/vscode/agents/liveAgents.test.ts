import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentFiles, AgentRegistry } from "../../../src/core/agent/chain.ts";
import { createLiveAgents } from "../../../src/vscode/agents/liveAgents.ts";

const none: AgentRegistry = { agents: [], problems: [] };

function filesAtHand() {
	const watches: PromiseWithResolvers<void>[] = [];
	const looks: PromiseWithResolvers<AgentRegistry>[] = [];
	const files: AgentFiles = {
		registry: () => {
			const look = Promise.withResolvers<AgentRegistry>();
			looks.push(look);
			return look.promise;
		},
		watch: () => {
			const watching = Promise.withResolvers<void>();
			watches.push(watching);
			return watching.promise;
		},
		fits: async () => [],
		rank: async () => [],
	};
	return { live: createLiveAgents(files, { debug: () => undefined }), watches, looks };
}

const settled = () => new Promise(setImmediate);

test("where the worker is started anew, what was seen is old, and the next look watches again", async () => {
	const { live, watches, looks } = filesAtHand();
	let changes = 0;
	live.onDidChange(() => changes++);
	const first = live.registry();
	looks[0]?.resolve(none);
	await first;
	watches[0]?.reject(new Error("The pipe is closed."));
	await settled();
	assert.equal(changes, 1);
	void live.registry();
	assert.equal(watches.length, 2);
	watches[1]?.reject(new Error("The worker does not start."));
	await settled();
	assert.equal(changes, 1, "one that never answered is not asked again and again");
});

test("what an older look finds does not stand in place of what a later one found", async () => {
	const { live, looks } = filesAtHand();
	const seen: AgentRegistry[] = [];
	live.onDidRead((registry) => seen.push(registry));
	const both = [live.registry(), live.registry()];
	const later: AgentRegistry = { agents: [], problems: [] };
	looks[1]?.resolve(later);
	await both[1];
	looks[0]?.resolve(none);
	await both[0];
	assert.deepEqual([seen.length, seen[0] === later], [1, true]);
});
