import assert from "node:assert/strict";
import { test } from "node:test";
import { askFiles, NOTHING, testAnswers } from "../passages/askFolder.ts";

const LIGHTS = `# Lights

## Quellmoor Light
It was first lit in 1873. Its keeper was Odalys Brandvold.

## Grimhold Light
It was first lit in 1911. Its keeper was Jonna Brecht.
`;

test("a follow-up question is answered about the thing that the question before named", async (t) => {
	const ask = await askFiles(t, { "lights.md": LIGHTS });
	const history = [{ question: "When was the Grimhold Light first lit?", answer: "" }];
	const [first] = (await ask("Who was its keeper?", { history })).split("]");
	assert.match(first ?? "", /\*\*Lights › Grimhold Light:\*\* .*Jonna Brecht/);
});

const CALLS = Array.from({ length: 12 }, (_, at) => [
	`call${at}.md`,
	`# Call ${at}\n\n${at % 6 ? "Jonna" : "Runa"} called.\n`,
]);

const SECTIONS = {
	"lights.md": LIGHTS,
	"health.md":
		"# Health\n\n## Allergies\nI am allergic to one medicine, amoxicillin: it gives me a rash.\n\n## Blood\nO negative.\n",
	"day.md": "# Monday\n\n- The cat was at the vet: only a sprain.\n- The vet wants £64.\n",
	"guitar.md": "# Guitar\n\n## Tuning for the song of Ute\nD A D, capo on 4\n",
	...Object.fromEntries(CALLS),
	"tools.md": `# Tools
## Sheds with a lock
The following sheds have a lock and a key that hangs in the hall.
## Lines
Lines of a recipe are run one by one, and each line is printed before it runs.
## Pump
The pump is checked hourly, and cleaned when the tank was emptied by the crew.
## Leave a branch
Create a branch from main.

\`\`\`sh
git checkout -b mine
\`\`\`
## Hours
The pump house is open Tue-Fri 10 to 18, Sat 9 to 13. It is closed on Mondays.
## Members
A member becomes an elder once they have kept the gate.
`,
	"lands.json": `{ "lands": [
{ "name": "Arcania",
  "translations": { "de": "Arkanien", "fr": "Arcanie" } } ] }
`,
	"beer.md": "# Beer\n\nThe data of the story: where do people drink the most beer in Arcania?\n",
};

testAnswers(
	"a question is answered only if a section has all its words, names, signs and denials",
	SECTIONS,
	{
		"Which medecine am I alergic to?": /^\*\*Health › Allergies:\*\* .*amoxicillin.* \[health\.md:4\]/,
		"Which numpy version do I need?": NOTHING,
		"What is penicillin?": NOTHING,
		"Which phone number does the vet have?": NOTHING,
		"Which capo position does the song of Runa need?": NOTHING,
		"Which capo position does the song of Ute need?": /capo on 4/,
		"Which sheds have no lock?": NOTHING,
		"What does @ before a line do?": NOTHING,
		"Which currency has Arcania?": NOTHING,
		"Where do people drink the most beer in Arcania?": NOTHING,
		"How often is the pump checked?": /hourly/,
		"When is the pump house open on Saturday?": /Sat 9 to 13/,
		"When does a member become an elder?": /once they have kept the gate/,
		"How do I create a branch?":
			/^\*\*Tools › Leave a branch:\*\* Create .*\n\n```\ngit checkout -b mine\n```\n/,
	},
);

const TERMS = {
	"saga.md": `---
layout: default
title: Saga
---
# Saga
Many talks name the saga, and the saga has fans.

A saga is a sequence of local transactions, each with a step that undoes it.

The saga was slow in our tests.
`,
	"glossary.md": `# Glossary
- **Outbox**: a table of messages that are still to be sent.
- **Relay** – the process that sends what is in the outbox.
`,
	"lager.md": `# Lager
Die Palette steht im Lager, und jede Palette hat eine Nummer.

Eine Palette ist eine flache Unterlage, auf der Waren gestapelt werden.
`,
	"port.md":
		"# Port\n\nLa darse du port est ouverte.\n\nUne darse est un bassin où les navires sont amarrés.\n",
	"glossary/etcd.md": "# etcd\n\nConsistent key value store behind all cluster data.\n\n## More\nRead on.\n",
	"ops/backup.md": "# Backup of etcd\n\nThe etcd backup runs at night, and it takes two hours.\n",
	"metrics.md":
		"# Tally metrics\n\n## Visits\n\nTally warns of a high bounce rate.\n\n## Bounce rate\n\nTally marks each visit of one page unless it lasts a minute.\n",
	"settings.md":
		"# Settings\n\n- SCHEDULER: feeds are limited by POLL_EVERY and the value of BATCH_SIZE, which is 100 by default.\n\nMore settings:\n\n- `POLL_EVERY`: minutes between runs. Default is 60.\n- `pollOnce` (boolean) runs once.\n- LOG_FORMAT: text or json.\n- LOG_FORMAT_STRICT: refuses other text.\n",
	"key.md": `# Key\n\n- ${"aBcD".repeat(2000)}\n`,
	"api.md": '# Tally API\n\n```json\n"bounce_rate": 49.0,\n```\n',
	"pods/_index.md": "# Pods\n\nThe smallest object. A Pod represents a set of running containers.\n",
};

testAnswers(
	"a question for a meaning is answered by the definition, or by the document of that name",
	TERMS,
	{
		"What is a saga?": /^\*\*Saga:\*\* (?:\*\*)?A saga is a sequence of local/,
		"What does saga mean?": /^\*\*Saga:\*\* (?:\*\*)?A saga is/,
		"What is the outbox?": /\*\*Outbox: a table of messages/,
		"What is a relay?": /\*\*Relay – the process that sends/,
		"Was ist eine Palette?": /^\*\*Lager:\*\* (?:\*\*)?Eine Palette ist/,
		"Qu’est-ce qu’une darse ?": /^\*\*Port:\*\* (?:\*\*)?Une darse est/,
		"What does bounce rate mean?": /^\*\*Tally metrics › Bounce rate:\*\*/,
		"What does bounce rate mean in Tally?": /^\*\*Tally metrics › Bounce rate:\*\*/,
		"What is the default value of POLL_EVERY?": /^[^[]*Default is 60/,
		"What does pollOnce do?": /^[^[]*runs once/,
		"What does LOG_FORMAT_STRICT do?": /\*\*LOG\\_FORMAT\\_STRICT/,
		"Which key begins with aBcD?": /\[key\.md:3\]/,
		"What is etcd?": /^\*\*etcd:\*\* Consistent key value store .* \[glossary\/etcd\.md:3\]/,
		"What is a pod?": /A Pod represents a set/,
	},
);

test("an answer has at most 120 words, even from long sentences and rows", async (t) => {
	const long = Array.from({ length: 400 }, (_, at) => `word${at}`).join(" ");
	const ask = await askFiles(t, {
		"a.md": `# Lamps\n\nThe lamp of the tower was made by ${long}.\n\nThe horn was made in 1911 by ${long}.\n`,
		"b.csv": `lamp,${long.replaceAll(" ", ",")}\ntower,${long.replaceAll(" ", ",")}\n`,
	});
	for (const question of [
		"Who made the lamp of the tower?",
		"Who made the lamp, and when was the horn made?",
	]) {
		const answer = await ask(question);
		const words = answer.replace(/\[[^\]]*\]/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];
		assert.ok(words.length <= 120, `${question} ${words.length}`);
	}
});

test("an answer quotes several equally likely places, but a repeated text only once", async (t) => {
	const told = "The ferry to Gannet Rock leaves at 9:15 from the north pier.";
	const copies = Array.from({ length: 6 }, (_, at) => [`copy${at}/ferry.md`, `# Ferry\n\n${told}\n`]);
	const ask = await askFiles(t, {
		...Object.fromEntries(copies),
		"winter.md": "# Ferry\n\nThe ferry to Gannet Rock leaves at 10:45 in winter.\n",
	});
	const answer = await ask("When does the ferry to Gannet Rock leave?");
	assert.match(answer, /9:15.*10:45|10:45.*9:15/s);
	assert.equal(answer.split("9:15").length, 2);
});

const SHOP = {
	"weeks.csv":
		"week,takings,visits\n1,high street and market,30\n2,market,35\n3,high street,41\n4,market and fair,18\n",
	"staff.md":
		"# Staff\n\n| name | since | hours a week |\n|---|---|---|\n| Lottie Grieves | 2021 | 9 |\n| Ove Lind | 2019 | 30 |\n\nOve Lind has been here the longest of all the staff.\n",
	"band.md":
		"# Band\n\n| who | instruments | since |\n|---|---|---|\n| Ola Brandt | fiddle, nyckelharpa | 2012 |\n| Per Holm | accordion | 2015 |\n",
	"walk.txt":
		"There were nine nests in the hedge that year,\nas the warden wrote in his letter,\nand four of them were robbed.\n",
	"nests.csv": "nest,tree\n1,oak\n2,ash\n",
	"ida.txt": "Ida Moss came home\non 3 May 1921 with two trunks\nand a dog.\n",
	"notes.md":
		"# Notes\n\nLottie helped on 26 July with the stall at Black Burn. The battery of the till was changed on 15 April.\n\nRoza came on 9 August and had lemon drizzle.\n\nThe Mill Pond is 3 m deep at the weir.\n\nCall Ove Lind on 0191 498 0127 if the till is stuck.\n",
};

testAnswers("a question is answered only by a text with its kind of answer", SHOP, {
	"Which week had the highest takings at the market?": NOTHING,
	"Who of the staff has been here the longest?": /Ove Lind has been here the longest/,
	"Which instruments does Ola Brandt play?": /nyckelharpa/,
	"What does Lottie get paid per hour?": NOTHING,
	"What does a battery for the till cost?": NOTHING,
	"How many nests were in the hedge?": /nine nests/,
	"When did Ida Moss come home?": /3 May 1921/,
	"How deep is the Black Burn?": NOTHING,
	"How deep is the Mill Pond?": /3 m deep/,
	"What is Lottie's phone number?": NOTHING,
	"What is the phone number of Ove Lind?": /0191 498 0127/,
	"When is Roza's birthday?": NOTHING,
	"Wich day was the battery of the till changed?": /15 April/,
});

const product = (title: string, eol: string) =>
	`---\ntitle: ${title}\nreleases:\n  - cycle: "8.0"\n    eol: ${eol}\n  - cycle: "9.0"\n    eol: 2031-01-01\n---\nA product.\n`;

const years = (count: number) => "through wet and dry years alike ".repeat(count).trim();

/** Many short lines, of which the last says why. */
const issue = (number: number, title: string, text: string) => {
	const labels = ["crash", "io", "ui", "files", "slow", "large"];
	return { number, title, labels, body: "Opens fine up to about 2 GB.", comments: [{ by: "rolf", text }] };
};

const RELEASES = Object.entries({ "2.1.2": "2022-03-24", "2.1.1": "2022-03-09", "2.1.0": "2022-02-17" });

const MINUTES = {
	"changes.md": RELEASES.map(
		([version, day]) =>
			`## Version ${version}\n\nReleased ${day}\n\n- Handle overflow of dates in ${version}.\n`,
	).join("\n"),
	"2023-02.md":
		"## 2023-02-13T10:00\n\n- The board discussed the budget.\n\n## 2023-02-20\n\n- No meeting due to traveling.\n",
	"rules.md":
		"## Sitz\n\nSitz des Vereins ist Ulm.\n\n## Versammlung\n\nBei Stimmengleichheit gilt der Antrag als abgelehnt.\n\n## Hunde\n\nEin Hund braucht Ruhe und wiegt 20 kg.\n",
	"encoding.py":
		'import base64\n\n\ndef want_bytes(s: str) -> bytes:\n    return s.encode("utf-8")\n\n\ndef base64_encode(string: str) -> bytes:\n    """Encode a string of bytes."""\n    return base64.urlsafe_b64encode(want_bytes(string))\n',
	"mysql.md": product("MySQL", "2026-04-30"),
	"mongodb.md": product("MongoDB", "2029-10-31"),
	"brandvold.md": `# Odalys Brandvold\n\nBrandvold and Brecht farmed in the hills of Grimhold ${years(7)}. In 1186 Brandvold was elected warden of the province. Others kept farming ${years(4)}. Brandvold was beaten by Brecht in the battle of Seaford.\n`,
	"ships.md":
		"# Ships\n\nEvery captain shortly after the war lost a ship. A fall of prices ruined the yards.\n",
	"issues.json": JSON.stringify(
		[
			issue(1, "Crash when opening files larger than 2 GB", "The offset was a 32-bit integer."),
			issue(2, "Docs: document the QUERA_HOME variable", "It was new."),
		],
		null,
		2,
	),
};

testAnswers(
	"a question is answered from the part with the heading, date, version or name that it means",
	MINUTES,
	{
		"When was version 2.1.1 released?": /^\*\*Version 2\.1\.1:\*\* .*2022-03-09/,
		"What did the board discuss on 13 February 2023?": /budget/,
		"Why was there no meeting on 20 February 2023?": /^\*\*2023-02-20:\*\*\s+- .*traveling/,
		"Was passiert bei Stimmengleichheit?": /^\*\*Versammlung:\*\* .*abgelehnt/,
		"Where is want_bytes defined?": /def want\\?_bytes/,
		"Wie viel wiegt ein ausgewachsener Rüde?": /^(?!.*Ruhe)/,
		"mysql 8.0 eol": /^[^\n]*2026-04-30 \[mysql\.md:5\]$/,
		"What is the eol of Oracle 8.0?": NOTHING,
		"Which battle did Brandvold lose to Brecht shortly after the election as warden?":
			/^(?!.*ships\.md).*battle of Seaford/s,
		"Why does it crash with files over 2 GB?": /^(?!.*QUERA).*Crash when opening.*32-bit integer/s,
	},
);
