import assert from "node:assert/strict";
import { test } from "node:test";
import { askFiles, askFolder, testAnswers } from "../passages/askFolder.ts";

test("an answer from a row explains its codes by the only other place that defines each code", async (t) => {
	const ask = await askFiles(t, {
		"stock.csv": "no,item,shelf,from,size\nM-1,Mepivacaine,GS,L3,XL\nM-2,Bonding,R4,L3,XL\n",
		"shelves.yaml": "GS: locked cabinet in room 2\nR4: shelf by the window\n",
		"suppliers.md": "| code | name |\n| --- | --- |\n| L3 | Harbour Pharmacy |\n",
		"sizes.csv": "size,price\nXL,3\nXL,4\n",
		"orders.csv": "day,item no\n2025-01-02,M-1\n",
	});
	const answer = await ask("Where is the Mepivacaine kept?");
	assert.match(
		answer,
		/shelf: GS .*\[stock\.csv:2\].*GS: locked cabinet in room 2 \[shelves\.yaml:1\].*Harbour Pharmacy.*\[suppliers\.md:3\]/s,
	);
	assert.doesNotMatch(answer, /sizes|orders|R4/);
});

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

test("a code is not explained by files or properties that a policy hides", async (t) => {
	const ask = await askFolder(t, {
		".copilot-ld/config.yaml":
			'policy: [{ deny: { paths: ["hr/**"] } }, { deny: { properties: [salary] } }]\n',
		"stock.csv": "no,item,shelf,from\nM-1,Mepivacaine,GS,L3\nM-2,Bonding,R4,L3\n",
		"hr/shelves.yaml": "GS: secret cabinet in room 2\n",
		"suppliers.md": "| code | name | salary |\n| --- | --- | --- |\n| L3 | Harbour Pharmacy | 4711 |\n",
	});
	const answer = await ask("Where is the Mepivacaine kept?");
	assert.match(answer, /shelf: GS/);
	assert.doesNotMatch(answer, /secret|4711/);
});

test("an answer with explained codes has at most 120 words", async (t) => {
	const ask = await askFiles(t, {
		"stock.csv": `item,note,shelf\nMepivacaine,${"very ".repeat(74)}cold,GS\n`,
		"shelves.csv": `code,where\nGS,${"far ".repeat(60)}away\n`,
	});
	assert.ok((await ask("Where is the Mepivacaine?")).split(/\s+/).length <= 120);
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
