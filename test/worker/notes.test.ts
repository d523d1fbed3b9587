import assert from "node:assert/strict";
import { chmod } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import type { Place } from "../../src/core/knowledge/graph.ts";
import { shareStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { indexFiles } from "../retrieve/filesIndex.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { NO_RULES, openPolicy } from "./policy/openPolicy.ts";
import { MODEL_FOLDER, never } from "./workspace.ts";

const CHANNEL = { channel: "chat" } as const;

const WIKI = {
	"pets/dog.md":
		"---\naliases: [Doggo, Best Friend]\n---\nText before.\n\n# The Dog!\n\nBarks. ^bark\n\n## Food & drink\n\n## Food & drink\n\nSee [[#The dog]], [top](#the-dog) and [[#^bark]].\n",
	"pets/index.md": "---\nalternateName: Animals\ntags: [pets]\n---\n",
	"daily/one.md":
		"[[Doggo]] and ![[dog#The Dog!|it]], [[dog#^bark]], [food](dog.md#food--drink), [[best friend#Food & drink]] [[Plan]] [[Nobody]] #pets/dogs\n",
	"daily/two.md":
		"| [[dog\\|x]] |\n|-|\n| [The%20Dog](../pets/dog.md#The%20Dog!) |\n\n[[dog#The Dog!#Food & drink]] [[Node.js]] [[pets]] [[Animals]] #Pets\n\n[ref]: dog.md#the-dog\n",
	"code/Node.js.md": "# JavaScript on servers\n",
	"empty.md": "Our doggo, [the dog!](x.md), dogs, [[the dog!]].\n\n# Else\n\nSee the dog, my Best  friend.\n",
	"old/deep/Plan.md": "",
	"old/Plan.md": "",
	"sub/a/todo.md": "",
	"sub/b/todo.md": "",
};

async function openWiki(t: TestContext) {
	const opened = await openPolicy(t, NO_RULES, WIKI);
	return { ...opened, pathOf: (uri: string) => uri.slice(opened.workspace.uri("x").length - 1) };
}

test("notes are found and linked by title, heading, file name and alias, also after changes of notes", async (t) => {
	const { things, workspace, pathOf, knowledge, index } = await openWiki(t);
	const at = (link: string) => new URL(link, workspace.uri("x")).href;
	for (const [words, label, alias] of [
		["the do", "The Dog!"],
		["doggo", "The Dog!", "Doggo"],
		["best fr", "The Dog!", "Best Friend"],
		["animals", "index", "Animals"],
		["else", "Else"],
		["pets dogs", "#pets/dogs"],
	] as const) {
		const [found] = await things.find({ words, limit: 5, ...CHANNEL }, never);
		assert.deepEqual([found?.label, found?.alias], [label, alias], words);
	}
	const [hit] = (await knowledge.search({ query: "Doggo", limit: 1, ...CHANNEL }, never)).hits;
	assert.equal(hit?.path, "pets/dog.md");
	for (const [link, ...notes] of [
		["daily/Doggo.md", "pets/dog.md"],
		["daily/best%20friend.md#The%20Dog!", "pets/dog.md"],
		["daily/dog.md#^bark", "pets/dog.md"],
		["daily/Node.js", "code/Node.js.md"],
		["daily/pets.md", "pets/index.md"],
		["daily/pets/", "pets/index.md"],
		["todo.md", "sub/a/todo.md", "sub/b/todo.md"],
		["b/todo.md", "sub/b/todo.md"],
		["daily/Nobody.md"],
		["daily/the%20dog!.md"],
	] as const) {
		const { [at(link)]: found } = await things.notes({ iris: [at(link)], ...CHANNEL }, never);
		assert.deepEqual(found?.map(pathOf), notes, link);
	}
	// The editor resolves a link in its own folder, and does not know of other folders yet.
	const iri = at("daily/Doggo.md");
	assert.ok(iri in (await things.named({ iris: [iri], ...CHANNEL }, never)));
	assert.equal((await things.describe({ iri, ...CHANNEL }, never))?.id, at("pets/dog.md"));
	const linked = async () => {
		const { things: found } = await things.neighbours({ iris: [at("daily/one.md")], ...CHANNEL }, never);
		return found.map(({ id }) => pathOf(id));
	};
	const before = await linked();
	for (const path of ["old/Plan.md", "daily/Nobody.md"]) assert.ok(before.includes(path), before.join());
	assert.ok(!before.includes("old/deep/Plan.md"));
	const placeOf = ({ uri, lines }: Place) => `${pathOf(uri)}:${lines.start}`;
	for (const [link, ...places] of [
		["pets/dog.md", "daily/one.md:1", "daily/two.md:1"],
		["daily/Doggo.md#The%20Dog!", "daily/one.md:1", "daily/two.md:1"],
		["urn:copilot-ld:tag:pets", "daily/one.md:1", "daily/two.md:5", "pets/index.md:3"],
		["urn:copilot-ld:tag:pets/dogs", "daily/one.md:1"],
	] as const) {
		const pointers = await things.pointers({ iri: at(link), ...CHANNEL }, never);
		assert.deepEqual(pointers.map(placeOf).sort(), places, link);
	}
	const mentions = await things.mentions({ iri, ...CHANNEL }, never);
	assertMapped(mentions, placeOf, ["empty.md:1", "empty.md:5"]);
	const cat = { "pets/cat.md": "---\naliases: Doggo\n---\n", "pets/dog.md": "# Dog\n" };
	await workspace.write({ ...cat, "notes/Nobody.md": "# Nobody\n" });
	await workspace.remove("old/Plan.md");
	await index();
	const after = await linked();
	for (const path of ["pets/cat.md", "notes/Nobody.md", "old/deep/Plan.md"])
		assert.ok(after.includes(path), after.join());
	assert.ok(!after.includes("daily/Nobody.md"));
});

type Edit = readonly [path: keyof typeof WIKI, from: string, to: string];

const movedDog = (note: string, link: string, file = link): readonly Edit[] => [
	["daily/one.md", "![[dog#", `![[${note}#`],
	["daily/one.md", "[[dog#^", `[[${note}#^`],
	["daily/one.md", "(dog.md#", `(${link}#`],
	["daily/two.md", "[[dog\\|", `[[${note}\\|`],
	["daily/two.md", "(../pets/dog.md#", `(../pets/${file}#`],
	["daily/two.md", "[[dog#The", `[[${note}#The`],
	["daily/two.md", "]: dog.md", `]: ${link}`],
];

/** Edits by the old and the new name, relative to the note of the dog. */
const RENAMES: Readonly<Record<string, readonly Edit[]>> = {
	"#The%20Dog! #Good%20%5Bold%5D%20Dogs%3A%20A%20%26%20(B)": [
		["pets/dog.md", "# The Dog!", "# Good [old] Dogs: A & (B)"],
		["pets/dog.md", "[[#The dog]]", "[[#Good  old  Dogs: A & (B)]]"],
		["pets/dog.md", "(#the-dog)", "(#good-old-dogs-a--b)"],
		["daily/one.md", "![[dog#The Dog!|it]]", "![[dog#Good  old  Dogs: A & (B)|it]]"],
		["daily/two.md", "dog.md#The%20Dog!", "dog.md#Good%20%5Bold%5D%20Dogs%3A%20A%20%26%20%28B%29"],
		["daily/two.md", "[[dog#The Dog!#", "[[dog#Good  old  Dogs: A & (B)#"],
		["daily/two.md", "dog.md#the-dog", "dog.md#good-old-dogs-a--b"],
	],
	"#food--drink #Meals": [
		["pets/dog.md", "## Food & drink\n\n## Food", "## Meals\n\n## Food"],
		["daily/one.md", "(dog.md#food--drink)", "(dog.md#meals)"],
		["daily/one.md", "friend#Food & drink]]", "friend#Meals]]"],
		["daily/two.md", "#Food & drink]]", "#Meals]]"],
	],
	"#%5Ebark #%5Ewoof-1": [
		["pets/dog.md", "Barks. ^bark", "Barks. ^woof-1"],
		["pets/dog.md", "[[#^bark]]", "[[#^woof-1]]"],
		["daily/one.md", "[[dog#^bark]]", "[[dog#^woof-1]]"],
	],
	"urn:copilot-ld:tag:pets urn:copilot-ld:tag:animals": [
		["pets/index.md", "[pets]", "[animals]"],
		["daily/one.md", "#pets/dogs", "#animals/dogs"],
		["daily/two.md", "#Pets", "#animals"],
	],
	"dog.md My%20pup.md": movedDog("My pup", "My%20pup.md"),
	"dog.md Node.js.md": movedDog("pets/Node.js.md", "pets/Node.js.md", "Node.js.md"),
};

test("a rename of a heading, block, tag or note changes every link, in the spelling of the link", async (t) => {
	const { workspace, rename } = await openWiki(t);
	const dog = workspace.uri("pets/dog.md");
	for (const [names, edits] of Object.entries(RENAMES)) {
		const [iri = "", to = ""] = names.split(" ").map((name) => new URL(name, dog).href);
		const { texts, notice } = await rename(iri, to);
		const wanted: Record<string, string> = {};
		for (const [path, from, by] of edits) wanted[path] = (wanted[path] ?? WIKI[path]).replace(from, () => by);
		assert.deepEqual([texts, notice], [wanted, undefined], names);
	}
	const moved = await rename(workspace.uri("daily/two.md"), workspace.uri("days/far/2.md"));
	assert.deepEqual(moved.texts, { "daily/two.md": WIKI["daily/two.md"].replace("../pets", "../../pets") });
	await chmod(workspace.path("daily/one.md"), 0o444);
	const { texts, notice } = await rename(`${dog}#%5Ebark`, `${dog}#%5Ewoof`);
	assert.deepEqual(Object.keys(texts), ["pets/dog.md"]);
	assert.equal(notice, "These files cannot be changed and keep the old name: daily/one.md.");
});

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
	["begins with informative files and asks for headings", ISLE, "README.md|tides.md", ABOUT_ISLE],
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
