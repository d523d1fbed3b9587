import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Skill, SkillPlace } from "../../src/core/agent/skill.ts";
import type { UserQuestion } from "../../src/core/agent/userQuestion.ts";
import { shareStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { createRecallTool, createRememberTool } from "../../src/tools/memory/memoryTools.ts";
import { createAskUserTool } from "../../src/tools/questions/ask.ts";
import { skillTools } from "../../src/tools/skills/skillTools.ts";
import { createAgentFits } from "../../src/worker/agents/agentFits.ts";
import { never, openTemporary } from "../sessions/temporarySessions.ts";
import { conversation, WORKSPACE } from "../sessions/turns.ts";

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

test("remembering needs permission, and the request shows the text", async (t) => {
	const { remember } = await open(t);
	const asked = await remember.permission?.({ text: "The lamp burns oil.", scope: "user" });
	assert.equal(asked?.mutates, true);
	assert.equal(asked?.title, "Remember about you: “The lamp burns oil.”");
	assert.match((await remember.permission?.({ text: "It burns." }))?.title ?? "", /for this workspace/);
	assert.throws(() => remember.permission?.({ text: "" }), /Wrong input/);
});

test("a remembered fact belongs to the workspace, can be recalled, and reports contradicting facts", async (t) => {
	const { memory, recalled, remembered } = await open(t);
	assert.equal(await remembered({ text: "The lamp burns oil." }), "Remembered: The lamp burns oil.");
	assert.match(await remembered({ text: "the lamp burns oil" }), /^That is remembered already/);
	assert.match(await recalled("what does the lamp burn"), /^\(remembered \d{4}-\d\d-\d\d, for this works/);
	const [fact] = await memory.facts({ workspace: WORKSPACE }, never);
	assert.deepEqual(fact?.source, { by: "model" });
	assert.deepEqual(await memory.facts({ workspace: "file:///elsewhere" }, never), []);
	await remembered({ text: "The server listens on port 8080.", scope: "user" });
	const text = await remembered({ text: "The server listens on port 9090." });
	assert.match(text, /seems to disagree.*ask the user.*\n- The server listens on port 8080\./s);
});

test("earlier turns are recalled with the session, and with citations that do not count as shown", async (t) => {
	const { recalled, remembered, sessions } = await open(t);
	const answer = "The second keeper [clock.md:3-4].";
	await sessions.append("clock", conversation([["Who winds the clock?", answer]]), never);
	assert.match(
		await recalled("winding the clock"),
		/^\(said \d{4}-\d\d-\d\d, in “Who winds the clock\?”, turn 1\) Who winds the clock\?\nThe second keeper \(clock\.md:3-4\)\.$/,
	);
	assert.match(await remembered({ text: "It is wound at dawn [bank.md:1]." }), /dawn \(bank\.md:1\)/);
	assert.match(await recalled("quarterly taxes"), /^Nothing is remembered about “quarterly taxes”/);
});

const skillOf = (name: string, description: string, more: Partial<Skill> = {}): Skill => ({
	...{ name, description, kind: "skill", hint: "", persona: `How to: ${description}`, keywords: [] },
	...{ mayBeChosen: true, mayBeAsked: true, folder: "/none", hasScripts: false },
	source: { uri: `file:///${name}`, level: "user", hash: name },
	...more,
});

const SKILLS = [
	skillOf("pdf-forms", "Fill in PDF forms and extract their tables."),
	skillOf("release-notes", "Write release notes and changelogs from commits."),
	skillOf("commit", "Commit.", { kind: "prompt", mayBeChosen: false }),
	...Array.from({ length: 45 }, (_, index) => skillOf(`other-${index}`, `Nothing of ${index}.`)),
];

function placeOf(skills: readonly Skill[]): SkillPlace {
	const registry = async () => ({ agents: [], problems: [] });
	const { rank } = createAgentFits({ registry }, () => shareStaticEmbedder("media/model"));
	const none = async () => assert.fail("Nothing is read.");
	return {
		list: async () => ({ skills, problems: [] }),
		rank: async (task, all, signal) => (await rank([task], all, signal))[0] ?? [],
		...{ files: none, read: none, script: none },
		workFolder: async () => undefined,
	};
}

for (const [question, first, isNamed] of [
	["What changed since the last release? Write a changelog.", "release-notes", false],
	["Extract the tables of this PDF", "pdf-forms", false],
	["/commit the lamp", "commit", true],
	["/etc is where?", "", false],
] as const)
	test(`the skill tool for “${question}” lists ${first ? `the skill ${first}` : "no particular skill"} first`, async () => {
		const [use] = await skillTools(placeOf(SKILLS), never, question);
		const [, listed] = /^- ([\w-]+):/m.exec(use?.description ?? "") ?? [];
		if (first !== "") assert.equal(listed, first);
		assert.equal(use?.description.includes("The user asks for “commit”"), isNamed);
		assert.equal(JSON.stringify(use?.inputSchema).includes('"commit"'), isNamed);
		assert.match(use?.description ?? "", /^Others: other-/m);
		assert.deepEqual(await skillTools(placeOf([]), never, question), []);
	});

test("the model gets the user's answer, and the question states if free text is allowed", async () => {
	const free = { choices: [], allowFreeform: true };
	const fixed = { choices: ["Red", "White"], allowFreeform: false };
	for (const [asked, shown, answer, reply] of [
		[fixed, fixed, "Red", /^The user answered: Red$/],
		// Without choices, any answer is possible.
		[{ allowFreeform: false }, free, "The old one", /: The old one$/],
		[{}, free, undefined, /closed the question.*Do not ask the same again/],
	] as const) {
		const { person, call } = asking();
		const told = call(asked);
		assert.deepEqual(person.asked, [{ question: "Which lamp?", ...shown }]);
		person.answer(answer);
		assert.match(await told, reply);
	}
});

test("if the user does not answer soon, the model is told to call again, and the question stays open", async () => {
	const { person, call } = asking(1);
	assert.match(await call(), /not answered yet.*again with the same input/);
	person.answer("Red");
	assert.equal(await call(), "The user answered: Red");
	assert.equal(person.asked.length, 1);
	void call();
	assert.equal(person.asked.length, 2, "a new call asks again after the answer was passed");
});

test("a cancelled call withdraws the question to the user", async () => {
	const { person, call } = asking();
	const turn = new AbortController();
	const reply = call({}, turn.signal);
	turn.abort(new Error("The turn is over."));
	await assert.rejects(reply, /The turn is over/);
	assert.equal(person.signal.aborted, true);
});

function asking(patienceMs?: number) {
	const person = { asked: [] as UserQuestion[], signal: never, answer: (_words?: string): void => undefined };
	const tool = createAskUserTool((question, signal) => {
		const { promise, resolve } = Promise.withResolvers<string | undefined>();
		person.asked.push(question);
		Object.assign(person, { signal, answer: resolve });
		return promise;
	}, patienceMs);
	const call = async (input: object = {}, signal = never) =>
		(await tool.run({ question: "Which lamp?", ...input }, { signal })).text;
	return { person, call };
}
