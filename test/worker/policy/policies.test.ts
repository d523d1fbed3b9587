import assert from "node:assert/strict";
import { test } from "node:test";
import type { FolderPolicy } from "../../../src/worker/files/folderConfig.ts";
import { createDoorReads } from "../../../src/worker/policy/doorReads.ts";
import { createPolicies } from "../../../src/worker/policy/policies.ts";
import { uriOf } from "../../store/sampleDocument.ts";
import { openFilled, textsFor } from "../../store/temporaryStore.ts";

test("a question reads the configuration once, and the next one sees what has changed", async (t) => {
	const { store } = await openFilled(t, { "a.md": ["one valve"], "b.md": ["two valves"] });
	let readings = 0;
	let hidden = "a.md";
	const policies = createPolicies(() => {
		readings++;
		return [{ root: "/notes", rules: [{ paths: [hidden] }] }];
	});
	const none = () => undefined;
	const memberships = async () => ({ version: 0, has: () => false, types: none, properties: none });
	const { reads } = createDoorReads({ store, policy: () => policies.last("chat"), memberships });
	const ask = async () => {
		policies.read("chat");
		const { matches } = await reads.matchText("valve", { limit: 9 });
		const passages = [...(await reads.read(matches.map(({ row }) => row))).values()];
		const statements = await reads.statementsOf(["a.md", "b.md"].map(uriOf));
		return [passages.map(({ text }) => text), [...statements.keys()]];
	};
	assert.deepEqual(await ask(), [["two valves"], [uriOf("b.md")]]);
	assert.equal(readings, 1);
	hidden = "b.md";
	assert.deepEqual(await ask(), [["one valve"], [uriOf("a.md")]]);
	assert.equal(readings, 2);
	assert.deepEqual(await textsFor(store, "valve"), ["one valve", "two valves"]);
});

test("a policy says why it hides a folder, holds until it is read again, and is the same while its rules are", () => {
	const problem = { path: "config.yaml", severity: "error", lines: { start: 1, end: 1 } } as const;
	const unreadable = { root: "/notes", rules: [{}], problem: { ...problem, message: "Mend it." } };
	let folders: FolderPolicy[] = [unreadable, { root: "/other", rules: [] }];
	const policies = createPolicies(() => folders);
	const policy = policies.last("chat");
	assert.deepEqual(policy?.notices, ["Mend it."]);
	assert.equal(policies.read("chat"), policy);
	folders = [];
	assert.equal(policies.last("chat"), policy);
	assert.equal(policies.read("chat"), undefined);
	assert.equal(policies.last("chat"), undefined);
});
