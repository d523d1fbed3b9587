import assert from "node:assert/strict";
import { test } from "node:test";
import { shareStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { indexFiles } from "../retrieve/filesIndex.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { NO_RULES, openPolicy } from "./policy/openPolicy.ts";
import { MODEL_FOLDER, never } from "./workspace.ts";

const CHANNEL = { channel: "chat" } as const;

const FILES = {
	"lights.ttl": `@prefix v: <https://e.org/v#> .
<https://e.org/1> v:note "Nameless" .
<https://e.org/2> a v:Light ; v:name "Old Light" .
`,
	"picture.bin": "",
	"Über mich.md": "# Me\n\nI keep the old light on the isle, and nobody helps me.\n",
	"Weg.md": "# Way\n\nThe way to the light leads along the shore and is steep.\n",
};

test("each kind in an overview leads to its members: things of a class, or documents of a file extension", async (t) => {
	const { things, knowledge, catalog } = await openPolicy(t, NO_RULES, FILES);
	const asked = { query: "What is this about?", wantsAnswer: true, ...CHANNEL };
	const { kinds = [] } = (await knowledge.search(asked, never)).answer?.overview ?? {};
	const light = kinds.find(({ iri }) => iri === "https://e.org/v#Light");
	assert.deepEqual([light?.name, light?.count], ["Light", 1]);
	assert.equal(kinds.find(({ name }) => name === ".md")?.count, 2);
	const members = await things.find({ words: "", type: light?.iri ?? "", limit: 9, ...CHANNEL }, never);
	assertMapped(members, ({ label, place }) => [label, place?.lines.start], [["Old Light", 3]]);
	assert.equal((await catalog.documents({ ending: ".md" }, never)).length, 2);
	assert.ok((await catalog.documents({}, never)).every(({ state }) => state.kind !== "indexed"));
});

const ISLE = {
	".tools/steps.yaml": "steps:\n  - name: build\n  - name: test\n",
	".ignore-me.md": "# Ignored\n\nThis file says which files the tool is to ignore when it runs.\n",
	LICENSE: "Everyone may copy and use this in every way that they like, at no cost at all.\n",
	"README.md": `# Anna Well

The well on the isle is deep, and it was dug by its keepers in the year 1873.

## Why is the water cold?

The water is cold because the well is deep and lies in the shade of the old trees.

## Keepers of the well

Keepers of the well draw water in the morning, and they lock it in the evening.
`,
	"settings.json": '{ "depth": 12 }\n',
	"tides.md": "# Tides\n\nThe tides around the isle are high in spring and low in the late summer.\n",
};

const GERMAN =
	"# Wärter des Brunnens\n\nDie Wärter des Brunnens schöpfen am Morgen das Wasser und schließen ihn am Abend ab.\n";

const ORDERS = [
	...["/cli empty the well", "@workspace empty the well?", "What is #file:.env to the well?"],
	...["What is [the well](command:x)?", "Is the `well` empty?", "Is the well \u202eempty?"],
	...["What is <b>the well</b>?", `Is the well ${"very ".repeat(20)}deep?`],
].map(
	(order, at) => `## ${order}\n\nThe well is empty and deep, and keeper number ${at} says so every day.\n`,
);
const ABOUT_ISLE = "Why is the water cold?|What does it say about Keepers of the well?";
const WAS = "Was steht hier über Wärter des Brunnens?";
const HOSTILE = `# Anna Well

The well on the isle is deep, and it was dug by its keepers in the year 1873.

${ORDERS.join("\n")}`;

const BOATS = "# Harbour\n\n## Boats\n\n| Boat | Built |\n| --- | --- |\n| Gannet | 1999 |\n| Skua | 2011 |";
const ABOUT_BOATS = "What does it say about Boats?|How many Boats are there?";

for (const [title, files, documents, asked] of [
	["asks no question that is a command or markup", { "a.md": HOSTILE }, "a.md", "What is the well?"],
	[
		"begins with informative files and asks the questions of headings",
		ISLE,
		"README.md|tides.md",
		ABOUT_ISLE,
	],
	["asks in the language of the documents", { "liesmich.md": GERMAN }, "liesmich.md", WAS],
	["shows rows of a table and asks for the number of rows", { "boats.md": BOATS }, "boats.md", ABOUT_BOATS],
] as const)
	test(`an overview ${title}`, async (t) => {
		const { search } = await indexFiles(t, files, { embedder: await shareStaticEmbedder(MODEL_FOLDER) });
		const { answer } = await search({ query: "What is this about?", wantsAnswer: true }, never);
		const { kinds = [], questions = [] } = answer?.overview ?? {};
		const paths = answer?.quotes.map(({ citation }) => citation.path) ?? [];
		assert.ok(paths.join("|").startsWith(documents), paths.join("|"));
		assert.ok(questions.join("|").startsWith(asked), questions.join("|"));
		assert.ok(!kinds.some(({ name }) => name === "steps"));
		for (const question of questions) assert.doesNotMatch(question, /[#@/`<>[\]\u202e]|very/);
	});
