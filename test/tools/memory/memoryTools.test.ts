import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { citationsIn } from "../../../src/core/knowledge/citation.ts";
import { createRecallTool } from "../../../src/tools/memory/recallMemory.ts";
import { createRememberTool } from "../../../src/tools/memory/remember.ts";
import { never, openTemporary } from "../../sessions/temporarySessions.ts";
import { conversation, WORKSPACE } from "../../sessions/turns.ts";

async function open(t: TestContext) {
	const { memory, sessions } = await openTemporary(t);
	const place = { memory, workspace: () => WORKSPACE };
	const tools = { recall: createRecallTool(place, "tools"), remember: createRememberTool(place) };
	return {
		...{ memory, sessions, ...tools },
		recalled: async (query: string) => (await tools.recall.run({ query }, { signal: never })).text,
		remembered: async (input: object) => (await tools.remember.run(input, { signal: never })).text,
	};
}

test("remembering is a change that the rules of permission ask about, in words that hold the text", async (t) => {
	const { remember } = await open(t);
	const asked = await remember.permission?.({ text: "The lamp burns oil.", scope: "user" });
	assert.equal(asked?.mutates, true);
	assert.equal(asked?.title, "Remember about you: “The lamp burns oil.”");
	assert.match((await remember.permission?.({ text: "It burns." }))?.title ?? "", /for this workspace/);
	assert.throws(() => remember.permission?.({ text: "" }), /Wrong input/);
});

test("what a tool call remembers holds for the workspace, and a later call recalls it", async (t) => {
	const { memory, recalled, remembered } = await open(t);
	assert.equal(await remembered({ text: "The lamp burns oil." }), "Remembered: The lamp burns oil.");
	assert.match(await remembered({ text: "the lamp burns oil" }), /^That is remembered already/);
	assert.match(await recalled("what does the lamp burn"), /^\(remembered \d{4}-\d\d-\d\d, for this works/);
	const [fact] = await memory.facts({ workspace: WORKSPACE }, never);
	assert.deepEqual(fact?.source, { by: "model" });
	assert.deepEqual(await memory.facts({ workspace: "file:///elsewhere" }, never), []);
});

test("a fact that disagrees with another is pointed out to the model", async (t) => {
	const { remembered } = await open(t);
	await remembered({ text: "The server listens on port 8080.", scope: "user" });
	const text = await remembered({ text: "The server listens on port 9090." });
	assert.match(text, /seems to disagree.*ask the user.*\n- The server listens on port 8080\./s);
});

test("earlier turns are recalled with their session, and nothing is said to be nothing", async (t) => {
	const { recalled, sessions } = await open(t);
	await sessions.append("clock", conversation([["Who winds the clock?", "The second keeper."]]), never);
	assert.match(
		await recalled("winding the clock"),
		/^\(said \d{4}-\d\d-\d\d, in “Who winds the clock\?”, turn 1\) Who winds the clock\?\nThe second keeper\.$/,
	);
	assert.match(await recalled("quarterly taxes"), /^Nothing is remembered about “quarterly taxes”/);
});

test("what was cited in an earlier answer, or is remembered, does not count as shown now", async (t) => {
	const { recalled, remembered, sessions } = await open(t);
	const answer = "The second keeper [clock.md:3-4].";
	await sessions.append("clock", conversation([["Who winds the clock?", answer]]), never);
	assert.match(await remembered({ text: "The clock is wound at dawn [bank.md:1]." }), /dawn \(bank\.md:1\)/);
	assert.deepEqual(citationsIn(await recalled("who winds the clock")), []);
	assert.match(await recalled("who winds the clock"), /\(clock\.md:3-4\)/);
});
