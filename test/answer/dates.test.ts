import assert from "node:assert/strict";
import { test } from "node:test";
import { askFiles, testAnswers } from "../passages/askFolder.ts";

testAnswers(
	"a number does not answer who, and each of several words asks for a price",
	{
		"lots.ttl": `@prefix s: <https://schema.org/> . @prefix x: <https://x.example/> .
x:vetch s:name "shivering vetch" ; x:seedCount 640 ; x:collectedBy "Hetty Moor" .`,
		"show.md":
			"# The lighthouse\n\n- why the state lets it go\n- the price: asked 385,000, went for 412,500\n",
	},
	{
		"Who counts the shivering vetch seeds?": /^(?!.*640 \[lots)/s,
		"What did the lighthouse sell for?": /412,500/,
	},
);

const DATED = {
	"minutes/2025-09-29.md": "# Board, 29 September 2025\n\nThe kale supper costs 19 euros a head.\n",
	"minutes/2025-10-27.md": "# Board, 27 October 2025\n\nKale supper: the price is 21 euros now.\n",
	"2024.md": "# Board, 1 January 2024\n\nThe chair is Anna Holm.\n",
	"2025.md": "# Board, 1 January 2025\n\nThe treasurer is Peter Moe. The chair thanked him.\n",
};

testAnswers("the latest of several dated texts about a thing answers a question about now", DATED, {
	"What does the kale supper cost now?": /^[^[]*21 euros/,
	"Who is the chair now?": /^[^[]*Anna Holm/,
});

test("a quote in an answer or overview has at most twelve lines", async (t) => {
	const many = (line: (at: number) => string) => Array.from({ length: 40 }, (_, at) => line(at)).join("\n");
	const ask = await askFiles(t, {
		"README.md": `# Pump house\n\n${many((at) => `Pump ${at} is old.`)}\n`,
		"valves.md": `# Valves\n\n${many((at) => `- valve ${at}: open`)}\n`,
		"motor.json": `{ "motor": {\n${many((at) => `"part ${at}": ${at},`)}\n"maker": "Holm" } }\n`,
	});
	const questions = ["What is this about?", "Which valves are open?", "Who is the maker of the motor?"];
	for (const question of questions)
		for (const [place, start, end] of (await ask(question)).matchAll(/\[[^\]]+:(\d+)-(\d+)\]/g))
			assert.ok(Number(end) - Number(start) < 12, `${question} ${place}`);
	assert.match(await ask("What is this about?"), /\[README\.md:\d+-\d+\]/);
});
