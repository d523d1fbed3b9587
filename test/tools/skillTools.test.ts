import assert from "node:assert/strict";
import { test } from "node:test";
import type { Skill, SkillPlace } from "../../src/core/agent/skill.ts";
import { shareStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { skillTools } from "../../src/tools/skills/skillTools.ts";
import { createAgentFits } from "../../src/worker/agents/agentFits.ts";

const never = new AbortController().signal;

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
	test(`“${question}” puts ${first || "no skill of its own"} first`, async () => {
		const [use] = await skillTools(placeOf(SKILLS), never, question);
		const [, listed] = /^- ([\w-]+):/m.exec(use?.description ?? "") ?? [];
		if (first !== "") assert.equal(listed, first);
		assert.equal(use?.description.includes("The user asks for “commit”"), isNamed);
		assert.equal(JSON.stringify(use?.inputSchema).includes('"commit"'), isNamed);
		assert.match(use?.description ?? "", /^Others: other-/m);
	});

test("without skills there are no tools for them", async () => {
	assert.deepEqual(await skillTools(placeOf([]), never, "Anything"), []);
});
