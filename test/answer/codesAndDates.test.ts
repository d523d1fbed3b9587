import assert from "node:assert/strict";
import { test } from "node:test";
import { askFiles, askFolder } from "../passages/askFolder.ts";

test("a code in the row that answers is told by the only other place that says what it is", async (t) => {
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

test("a number is nobody, and a price is asked for in more than one way", async (t) => {
	const ask = await askFiles(t, {
		"lots.ttl": `@prefix s: <https://schema.org/> . @prefix x: <https://x.example/> .
x:vetch s:name "shivering vetch" ; x:seedCount 640 ; x:collectedBy "Hetty Moor" .`,
		"show.md":
			"# The lighthouse\n\n- why the state lets it go\n- the price: asked 385,000, went for 412,500\n",
	});
	assert.doesNotMatch(await ask("Who counts the shivering vetch seeds?"), /640 \[lots/);
	assert.match(await ask("What did the lighthouse sell for?"), /412,500/);
});

test("of dated texts, the latest says how something is now", async (t) => {
	const ask = await askFiles(t, {
		"minutes/2025-09-29.md": "# Board, 29 September 2025\n\nThe kale supper costs 19 euros a head.\n",
		"minutes/2025-10-27.md": "# Board, 27 October 2025\n\nKale supper: the price is 21 euros now.\n",
	});
	assert.match(await ask("What does the kale supper cost now?"), /^[^[]*21 euros/);
	const board = await askFiles(t, {
		"2024.md": "# Board, 1 January 2024\n\nThe chair is Anna Holm.\n",
		"2025.md": "# Board, 1 January 2025\n\nThe treasurer is Peter Moe. The chair thanked him.\n",
	});
	assert.match(await board("Who is the chair now?"), /^[^[]*Anna Holm/, "later, but of something else");
});

test("what a policy hides says nothing of a code, and an answer with codes stays short", async (t) => {
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
	const long = await askFiles(t, {
		"stock.csv": `item,note,shelf\nMepivacaine,${"very ".repeat(74)}cold,GS\n`,
		"shelves.csv": `code,where\nGS,${"far ".repeat(60)}away\n`,
	});
	assert.ok((await long("Where is the Mepivacaine?")).split(/\s+/).length <= 120);
});

test("no quote of an answer or an overview has more than twelve lines", async (t) => {
	const many = (line: (at: number) => string) => Array.from({ length: 40 }, (_, at) => line(at)).join("\n");
	const ask = await askFiles(t, {
		"README.md": `# Pump house\n\n${many((at) => `Pump ${at} is old.`)}\n`,
		"valves.md": `# Valves\n\n${many((at) => `- valve ${at}: open`)}\n`,
		"motor.json": `{ "motor": {\n${many((at) => `"part ${at}": ${at},`)}\n"maker": "Holm" } }\n`,
	});
	for (const question of [
		"What is this about?",
		"Which valves are open?",
		"Who is the maker of the motor?",
	]) {
		const places = [...(await ask(question)).matchAll(/\[[^\]]+:(\d+)-(\d+)\]/g)];
		for (const [place, start, end] of places)
			assert.ok(Number(end) - Number(start) < 12, `${question} ${place}`);
	}
	assert.match(await ask("What is this about?"), /\[README\.md:\d+-\d+\]/);
});
